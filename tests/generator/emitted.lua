--- The C that comes out, as a reader sees it: lines, sizes by name, headers that tell the truth.
local unit = require 'luaunit'
local emit = require 'emit.emit'
local environment = require 'emit.environment'
local isas = require 'isa'
local layer = require 'lower.layer'
local weight_layout = require 'weights.layout'
local naming = require 'emit.naming'
local pipeline = require 'pipeline'
local plan = require 'plan.plan'
local stage_plan = require 'plan.stage'
local support = require 'support'
local training = require 'emit.training'

TestEmitted = {}

local function text_of(p, remake)
  return emit.file(support.project .. '/', p, naming.of_file(remake or 'ffngen generate'))
end

--- The files of the kernels of all shipped specs, made once for all tests; in short form for one
--- ISA of most layers, in turn.
---@return { plan: Plan, kernel: string, training: string|nil }[]
local function files_of_kernels()
  local plans = pipeline.plan(pipeline.lower(pipeline.read(support.spec_files())), {})
  local files = {}
  for i, p in ipairs(plans) do
    if support.full or i % 6 == 0 or p.layer.place:find('lessons.lua', 1, true) then
      files[#files + 1] = {
        plan = p, kernel = text_of(p), training = p.training
          and training.file(support.project .. '/', p, naming.of_file('ffngen generate')),
      }
    end
  end
  return files
end
local files

function TestEmitted.setupClass() files = files_of_kernels() end
function TestEmitted.teardownClass() files = nil end

--- Calls check(text, plan) for the kernels.
local function each_kernel(check)
  for _, file in ipairs(files) do check(file.kernel, file.plan) end
  unit.assertTrue(#files > 80)
end

--- The same, and check(text, plan) for the training of those that are trained.
local function each_file(check)
  local trained = 0
  each_kernel(check)
  for _, file in ipairs(files) do
    if file.training then
      check(file.training, file.plan)
      trained = trained + 1
    end
  end
  unit.assertTrue(trained > 20)
end

--- No two functions of a file have one head and one body.
function TestEmitted.test_one_body()
  local count = 0
  each_file(function(text, p)
    local seen = {}
    for name, body in ('\n' .. text):gmatch '\n[%u_%l][%w_ *]- %*?([%w_]+)(%([^;{]-%) {\n.-\n})' do
      unit.assertNil(seen[body], ('%s: %s is %s'):format(p.name, name, seen[body] or ''))
      seen[body], count = name, count + 1
    end
  end)
  unit.assertTrue(count > 1000, count)
end

--- What is wrong with a line of C behind another one; false: nothing.
local function problem_of(line, before, longest)
  local is_name = line:find '^extern const [%w_]+ [%w_]+;$'
    or line:find '^const ffn_outputs [%w_]+ = {$' or line:find '^    "[%w_]+", FFN_PROFILE_'
  return #line > longest and not is_name and 'longer than 100'
    or line == '' and before == '' and 'two empty lines'
    or line:find '[ \t]$' and 'a space at the end'
    or line:find ' =$' and not line:find '^%s*/?%*' and 'what is assigned stands in the next line'
    or line:find('1 * ', 1, true) and line:find '%f[%w_]1 %* ' and 'times one'
end

--- No line is longer than 100 columns, but for a name that is; no two empty lines follow each
--- other, no line is a bare " */", none ends in a space, none of code in " =".
function TestEmitted.test_lines()
  each_file(function(text, p)
    local number, before = 0, 'x'
    local longest = #p.name < 76 and 100 or math.huge
    for line in text:gmatch('([^\n]*)\n') do
      number = number + 1
      local problem = problem_of(line, before, longest)
      if problem then unit.fail(('%s:%d: %s: %s'):format(p.name, number, line, problem)) end
      before = line
    end
    -- The only one belongs to the header, which ends in a line of its own.
    unit.assertEquals(select(2, text:gsub('\n%s*%*/\n', '')), 1, p.name .. ': a lone */')
  end)
end

--- One statement a line: behind a semicolon comes nothing but a comment, or the rest of a for.
function TestEmitted.test_statements()
  each_file(function(text, p)
    local code = text:gsub('/%*.-%*/', function(comment) return (comment:gsub('[^\n]', ' ')) end)
    code = code:gsub('\n *for (%b())', function(head) return '\nfor ' .. head:gsub('\n', ' ') end)
    for line in code:gmatch('([^\n]*)\n') do
      if line:find(';%s*[^%s}]') and not line:find('^%s*for %(') then
        unit.fail(p.name .. ': ' .. line)
      end
    end
  end)
end

--- Only a number of rows that is a constant at each call needs a question about it; what walks is
--- not beside what does not.
function TestEmitted.test_straight_lines()
  local count = 0
  each_kernel(function(text, p)
    if p.passes.forward.form.name == 'straight' then
      count = count + 1
      for body in (text .. '\n'):gmatch('(.-\n}\n)') do
        unit.assertTrue(not body:find('if (rows', 1, true)
          or body:find('const int rows[,)]') ~= nil, p.name .. body)
      end
      support.assert_lacks(text, '_columns(', p.name)
      support.assert_lacks(text, 'ffn_walk_rows', p.name)
    end
  end)
  unit.assertTrue(count > 20)
end

--- Where the function of a lone row stands alone, several rows still take their blocks of tokens:
--- one by one they would write hidden values over results that are to be added to y.
function TestEmitted.test_blocks_beside_a_lone_row()
  local folder = support.user_folder "ffn 'it' { variant = 'relu', d_model = 1, d_ff = 98 }\n"
  local list = { 'generate', 'my.lua', '--out', 'made', '--isa', 'avx512' }
  support.assert_code(support.ffngen(list, { dir = folder }), 0, 'generate')
  local text = support.read(folder .. '/made/ffn_relu_d1_f98_f32_avx512.c')
  support.assert_lacks(text, 'rows_of_', 'one form')
  unit.assertStrContains(text, 'one_row(walk->call')
  unit.assertStrContains(text, 'lanes_pair(walk->call')
end

--- Stages that share a tile's text say how far its second half lies behind the first: behind the
--- other branch, or beside it.
function TestEmitted.test_second_halves_of_one_text()
  local folder = support.user_folder("ffn 'it' { variant = 'swiglu', d_model = 544, d_ff = 544, "
    .. "weights = 'q4_0' }\n")
  local list = { 'generate', 'my.lua', '--out', 'made', '--isa', 'avx2,avx512' }
  support.assert_code(support.ffngen(list, { dir = folder }), 0, 'generate')
  for isa, said in pairs { avx2 = '16 8', avx512 = '16 16' } do
    local text = support.read(('%s/made/ffn_swiglu_d544_f544_q4_0_%s.c'):format(folder, isa))
    local found = {}
    for given in text:gmatch '\n  sums_%dx2%((.-)%);' do found[#found + 1] = given:match '%d+$' end
    unit.assertEquals(table.concat(found, ' '), said, isa)
  end
end

--- A walk asks whether rows wait for a stage only where some do.
function TestEmitted.test_laid_rows()
  local laid, plain = 0, 0
  each_kernel(function(text, p)
    local waits = false
    for _, s in ipairs(p.passes.forward.stages) do waits = waits or s.waits ~= false end
    local walks = p.passes.forward.form.name == 'walk'
    unit.assertEquals(text:find('ffn_walk_laid_', 1, true) ~= nil, walks and waits, p.name)
    unit.assertEquals(text:find('ffn_walk_columns,', 1, true) ~= nil, walks and not waits, p.name)
    laid, plain = laid + (walks and waits and 1 or 0), plain + (waits and 0 or 1)
  end)
  unit.assertTrue(laid > 0 and plain > 20, laid .. ', ' .. plain)
end

--- Dot products' helper stands in a kernel that calls it, and in no other.
function TestEmitted.test_dots()
  local count = 0
  each_kernel(function(text, p)
    local calls = select(2, text:gsub(' ffn_dots_%w+%(%s*a, ', ''))
    unit.assertEquals(text:find('FFN_INLINE [%w_]+ ffn_dots_') ~= nil, calls > 0, p.name)
    count = count + calls
  end)
  unit.assertTrue(count >= 3, tostring(count)) -- of a lesson, on three instruction sets
end

--- Text that a person would read is short: two kernels, as lines; and the lessons, as bytes.
function TestEmitted.test_short()
  local most = {
    ffn_swiglu_d512_f1365_f32_avx512 = 1815,
    mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512 = 2250,
  }
  local bytes, counted = 0, 0
  each_kernel(function(text, p)
    if most[p.name] then
      counted = counted + 1
      unit.assertTrue(select(2, text:gsub('\n', '')) <= most[p.name], p.name)
    end
    if p.layer.place:find('lessons.lua', 1, true) then bytes = bytes + #text end
  end)
  unit.assertEquals(counted, 2)
  -- A fiftieth of generated/ are the lists around the kernels.
  unit.assertTrue(bytes > 0 and bytes <= 980000, ('%d bytes'):format(bytes))
end

--- The files of generated/ themselves, lists and self-check among them.
function TestEmitted.test_few_bytes()
  local bytes, files_there = 0, support.snapshot(support.root .. '/generated')
  for _, path in ipairs(support.keys(files_there)) do bytes = bytes + #files_there[path] end
  unit.assertTrue(bytes > 0 and bytes <= 1000000, ('%d bytes'):format(bytes))
end

--- What a tile begins with, or holds, is of rows that are there: an optimiser would drop reads of
--- others, but nobody has to optimise.
function TestEmitted.test_rows_that_are_there()
  local count = 0
  each_kernel(function(text, p)
    for row, value in text:gmatch('\n +[%w_]+ [sx](%d+)[%d_]* =%s([^;]-%f[%w]from%f[%W][^;]*);') do
      count = count + 1
      unit.assertEquals(value:find('^from %?') ~= nil, row == '0', p.name)
      unit.assertEquals(value:find('^from && rows > ' .. row .. ' %?') ~= nil, row ~= '0', p.name)
    end
    local body = text:gsub('\n%s+', ' ')
    for row, value in body:gmatch('const [%w_]+ x(%d+) = ([^;]*);') do
      if value:find('rows > ', 1, true) then
        count = count + 1
        unit.assertTrue(value:find('^rows > ' .. row .. ' %?') ~= nil, p.name)
      end
    end
  end)
  unit.assertTrue(count > 20)
end

--- Constants that code uses are declared beside it, also where a CPU fetches nothing at all.
function TestEmitted.test_constants_are_declared()
  local function check(text, p)
    local code = text:gsub('/%*.-%*/', '')
    local declared, count = {}, 0
    for name in code:gmatch('%f[%w_]([A-Z][A-Z0-9_]*) =') do declared[name] = true end
    for _, s in ipairs(p.passes.forward.stages) do
      for name in code:gmatch('%f[%w_]' .. s.stage.name:upper() .. '_[A-Z_]+') do
        count = count + 1
        unit.assertTrue(declared[name], p.name .. ': ' .. name)
      end
    end
    unit.assertTrue(count > 5, p.name)
  end
  each_kernel(check)
  local choices, abreast = support.choices { fetch_ahead = 0, few_ahead = 0 }, 0
  for _, file in ipairs(files) do
    local p = plan.plan(file.plan.layer, file.plan.isa, choices)
    if p.passes.forward.stages[1].abreast then
      abreast = abreast + 1
      check(text_of(p), p)
    end
  end
  unit.assertTrue(abreast > 0)
end

--- Tokens in lanes, of training files, too.
function TestEmitted.test_lanes_are_declared()
  local count = 0
  each_file(function(text, p)
    for name in text:gsub('/%*.-%*/', ''):gmatch('%f[%w_]LANES[%u_]*') do
      count = count + 1
      support.assert_has(text, ('\n  %s = '):format(name), p.name)
    end
  end)
  unit.assertTrue(count > 20)
end

--- A walk calls its functions by name.
function TestEmitted.test_no_function_pointers()
  each_kernel(function(text, p) unit.assertNil(text:find('%(%*%l+%)%('), p.name) end)
end

--- Templates of what few layers have.
local of_few = { compact_decoding = true, group_begin = true, train_output = true }

--- Every template that the header names is there, and every one there is named by some header.
function TestEmitted.test_templates_are_named()
  local named = {}
  each_file(function(text, p)
    local list = text:match('\n %* Templates  (.-)\n %* %u'):gsub('\n %*', '')
    unit.assertTrue(#list > 20, p.name)
    for name in list:gmatch('[%w_]+') do unit.assertTrue(#name > 1, list) end
    for name in list:gmatch('[%w_]+') do named[name] = true end
  end)
  for path in pairs(support.snapshot(support.project .. '/templates/kernel')) do
    local name = path:match('^[%w_]+')
    if support.full or not of_few[name] then
      unit.assertTrue(named[name] or false, path .. ' is in no header')
    end
  end
  for name in pairs(named) do
    unit.assertTrue(support.exists(support.project .. '/templates/kernel/' .. name .. '.c.tpl')
      or support.exists(support.project .. '/templates/kernel/' .. name .. '.tpl'), name)
  end
end

--- What a file says of itself, without the header: its sizes and names.
local function without_sizes(text, p)
  local body = text:gsub('^/%*.-%*/\n', '')
  for _, name in ipairs { p.name, p.layer.name, environment.name_hash(p.layer.packed) } do
    body = body:gsub(name:gsub('%p', '%%%0'), '@')
  end
  -- Enumerators, and the comment above that describes them.
  return (body:gsub('/%*[^\n]-%*/\nenum (%b{});', 'enum;'):gsub('enum %b{};', 'enum;'))
end

--- Two sizes with equal tails differ in the header, the enumerators and the layer's name alone.
function TestEmitted.test_two_sizes()
  local compared = 0
  for _, name in ipairs(support.f32_isas()) do
    local bodies = {}
    for i, sizes in ipairs { { 2048, 5632 }, { 4096, 14336 } } do
      local l = layer.lower({
        kind = 'ffn', name = 'test', variant = 'swiglu', about = '', file = 'test.lua', line = 1,
        d_model = sizes[1], d_ff = sizes[2], d_out = sizes[1], bias = false, sparse = true,
        weights = { 'f32', 'f32' }, arithmetics = { 'fma_f32', 'fma_f32' }, build = {},
      })
      local p = plan.plan(l, isas.by_name[name])
      local text = text_of(p)
      bodies[i] = without_sizes(text, p)
      unit.assertTrue(#bodies[i] > #text // 2 and bodies[i] ~= text)
      compared = compared + 1
    end
    if bodies[1] ~= bodies[2] then
      local lines = {}
      for line in bodies[1]:gmatch('[^\n]*\n') do lines[#lines + 1] = line end
      local i = 0
      for line in bodies[2]:gmatch('[^\n]*\n') do
        i = i + 1
        unit.assertEquals(line, lines[i], name .. ', line ' .. i)
      end
    end
    unit.assertEquals(bodies[1], bodies[2], name)
  end
  unit.assertEquals(compared, 2 * #support.f32_isas())
end

--- The command in the header of a user's own kernel makes this very file again.
function TestEmitted.test_remake()
  local folder = support.folder()
  support.write(folder .. '/my.lua', "ffn 'a' { variant = 'glu', d_model = 9, d_ff = 20 }\n")
  support.write(folder .. '/two.lua', "linear 'b' { d_model = 9, d_out = 20 }\n")
  support.assert_code(support.ffngen({ 'generate', './my.lua', folder .. '/two.lua', '--out', 'out',
    '--isa', 'avx2,c' }, { dir = folder }), 0, 'generate')
  local made = support.snapshot(folder .. '/out')
  local count = 0
  for path, text in pairs(made) do
    local command = text:match('\n %* Remake     (ffngen generate [^\n]*)\n')
    if command then
      count = count + 1
      support.assert_lacks(command, folder, path)
      support.sh('rm -rf', folder .. '/again')
      support.sh('mkdir', folder .. '/again')
      support.sh('cp', folder .. '/my.lua', folder .. '/two.lua', folder .. '/again')
      local result = support.run({ 'sh', '-c',
        (command:gsub('^ffngen', support.quote(support.project .. '/ffngen'))) },
        { dir = folder .. '/again' })
      support.assert_code(result, 0, command)
      local again = support.snapshot(folder .. '/again')
      local found = again[path] or again['out/' .. path]
      unit.assertTrue(found == text, path .. ': another file than ' .. command .. ' makes')
    end
  end
  unit.assertEquals(count, 4)
end

--- Facts that C and Lua both state.
function TestEmitted.test_shared_facts()
  local kernel_h = support.read(support.project .. '/runtime/kernel.h')
  support.assert_has(kernel_h, ('#define FFN_PANEL %d\n'):format(weight_layout.lanes), 'kernel.h')
  support.assert_has(kernel_h, ('#define FFN_LIST_AHEAD %d\n'):format(stage_plan.list_ahead),
    'kernel.h')
  support.assert_has(support.read(support.project .. '/runtime/ffn_train.h'),
    ('#define FFN_TOKEN_BLOCK %d\n'):format((require 'lower.stage').longest_block),
    'ffn_train.h')
  local ffn_h = support.read(support.project .. '/runtime/ffn.h')
  support.assert_has(ffn_h, ('#define FFN_ALIGNMENT %d\n'):format(
    weight_layout.alignment), 'ffn.h')
  support.assert_has(ffn_h, ('#define FFN_ABI %d\n'):format((require 'common.version').abi),
    'ffn.h')
end
