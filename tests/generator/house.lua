--- The house plan, as far as a look at the text can check it: who imports whom, how long functions
--- are, that a vocabulary's folder holds its entries alone, and that nobody writes fields which
--- nobody reads.
local unit = require 'luaunit'
local fields_read = require 'fields_read'
local gguf_file = require 'gguf_file'
local in_process = require 'in_process'
local lists = require 'common.list'
local model_files = require 'model_files'
local support = require 'support'

TestHouse = {}

--- The Lua files of the generator, without specs, which are data.
local function modules()
  local result = {}
  for path, text in pairs(support.snapshot(support.root .. '/generator')) do
    if path:match('%.lua$') and not path:match('^specs/') then
      result[path] = text
    end
  end
  return result
end

--- The text with the insides of comments and strings blanked, its line breaks kept.
local function code_of(text)
  local out, at = {}, 1
  local function blank(to)
    out[#out + 1] = (text:sub(at, to):gsub('[^\n]', ' '))
    at = to + 1
  end
  while at <= #text do
    local _, long = text:find('^%-?%-?%[(=*)%[.-%]%1%]', at)
    local _, line = text:find('^%-%-[^\n]*', at)
    local quote = text:match('^["\']', at)
    if long then
      blank(long)
    elseif line then
      blank(line)
    elseif quote then
      local to = at
      repeat
        to = text:find('[\\' .. quote .. ']', to + 1)
        local escaped = text:sub(to, to) == '\\'
        if escaped then to = to + 1 end
      until not escaped
      blank(to)
    else
      local _, to = text:find('^[%-%[]?[^%-%["\']*', at)
      out[#out + 1] = text:sub(at, to)
      at = to + 1
    end
  end
  return table.concat(out)
end

-- Arrows -----------------------------------------------------------------------------------------

--- The table of generator/README.md: folder -> set of folders that it may import.
local function allowed_imports()
  local text = support.read(support.root .. '/generator/README.md')
  local rows = text:match('\n| folder | may import |\n|[-| ]+|\n(.-)\n\n')
  unit.assertNotNil(rows, 'the table of imports')
  local groups, result = {}, {}
  local function words(cell)
    local list = {}
    for word in cell:gmatch('`([%w_.]+)/?`') do list[#list + 1] = word end
    return list
  end
  for folders, imports, remark in (rows .. '\n'):gmatch('| ([^|]*) | ([^|]*) |([^\n]*)\n') do
    unit.assertEquals(remark, '')
    local names, set = words(folders), {}
    for _, word in ipairs(words(imports)) do set[word] = true end
    -- "the vocabularies" and the like are rows above.
    for phrase, list in pairs(groups) do
      if imports:find(phrase, 1, true) then
        for _, word in ipairs(list) do set[word] = true end
      end
    end
    groups[folders:match('^(the %l+)') or folders] = names
    for _, name in ipairs(names) do
      unit.assertNil(result[name], name)
      set[name] = true
      result[name] = set
    end
    if imports:find('everything', 1, true) then
      for _, name in ipairs(names) do result[name] = 'everything' end
    end
  end
  return result
end

local installed = { argparse = true, dkjson = true, lfs = true }

--- Who imports what: { from, to, path }, modules that are installed left out.
local function imports()
  local list = {}
  for path, text in pairs(modules()) do
    for name in text:gmatch("require%s*%(?%s*['\"]([%w_.]+)['\"]") do
      if not installed[name] then
        list[#list + 1] = { from = path:match('^[^/]+'), to = name:match('^[^.]+'), path = path }
      end
    end
    -- No import that this look would overlook.
    local seen = select(2, text:gsub("require%s*%(?%s*['\"][%w_.]+['\"]", ''))
    local all = select(2, code_of(text):gsub('%f[%w_]require%f[^%w_]', ''))
    unit.assertEquals(all, seen, path .. ': an import by another name')
  end
  return list
end

function TestHouse.test_arrows()
  local allowed, count = allowed_imports(), 0
  for _, i in ipairs(imports()) do
    count = count + 1
    local may = allowed[i.from]
    unit.assertNotNil(may, ('%s: generator/README.md does not tell what %s may import'):format(
      i.path, i.from))
    unit.assertTrue(may == 'everything' or may[i.to] or false,
      ('%s imports %s: %s may not'):format(i.path, i.to, i.from))
  end
  unit.assertTrue(count > 150)
end

--- The table itself: stages in a row, no arrow back, and nothing below imports what is above.
function TestHouse.test_table_of_arrows()
  local allowed = allowed_imports()
  local row = { 'read', 'lower', 'plan', 'emit', 'write' }
  for i, stage in ipairs(row) do
    for j = i + 1, #row do unit.assertNil(allowed[stage][row[j]], stage .. ' -> ' .. row[j]) end
    for _, above in ipairs {
      'commands', 'vendor', 'tune', 'package', 'files', 'tensors', 'pipeline.lua', 'main.lua',
    } do
      unit.assertNil(allowed[stage][above], stage .. ' -> ' .. above)
    end
  end
  unit.assertNil(allowed.emit.plan, 'emit prints what a plan says, and asks nothing again')
  unit.assertEquals(support.keys(allowed.common), { 'common' })
  -- Readers of files know no layers; who judges tensors is told of a layer, and makes none.
  unit.assertEquals(support.keys(allowed.files), { 'common', 'files' })
  unit.assertEquals(support.keys(allowed.tensors), { 'common', 'files', 'tensors' })
  unit.assertEquals(allowed.commands, 'everything')
  -- Every folder has a row, and every row a folder.
  local folders = { ['main.lua'] = true, ['pipeline.lua'] = true }
  for path in pairs(modules()) do folders[path:match('^[^/]+')] = true end
  unit.assertEquals(support.keys(allowed), support.keys(folders))
end

-- Functions --------------------------------------------------------------------------------------

--- The lines of every function of a text: { first, last } each.
local function functions_of(text)
  local list, open, number = {}, {}, 1
  for word, breaks in code_of(text):gmatch('([%a_][%w_]*)([^%a_]*)') do
    -- `then` and `do` of if, for and while: the word that opens is counted, not these.
    if word == 'function' or word == 'if' or word == 'do' or word == 'repeat' then
      open[#open + 1] = { word = word, line = number }
    elseif word == 'end' or word == 'until' then
      local block = table.remove(open)
      if block.word == 'function' then list[#list + 1] = { block.line, number } end
    end
    number = number + select(2, breaks:gsub('\n', ''))
  end
  unit.assertEquals(#open, 0, 'blocks')
  return list
end

function TestHouse.test_functions_are_short()
  local most, count = 80, 0
  for path, text in pairs(modules()) do
    local before = select(2, code_of(text):match('^[^%a_]*'):gsub('\n', ''))
    for _, lines in ipairs(functions_of(text)) do
      count = count + 1
      local length = lines[2] - lines[1] + 1
      unit.assertTrue(length <= most, ('%s:%d: a function of %d lines; at most %d'):format(path,
        lines[1] + before, length, most))
    end
  end
  unit.assertTrue(count > 300)
  -- The check sees what it looks for.
  local found = functions_of('local function f()\n  if x then\n    return [[ end ]]\n  end\nend\n')
  unit.assertEquals(found, { { 1, 5 } })
end

-- C ----------------------------------------------------------------------------------------------

--- Where emitted C is looked at: to break a line, to see which parameters a body leaves unused, and
--- to put a product's licence in the place of this one.
local reads_c = {
  [[not body:find('%f[%w_]' .. name]], [[code:sub(]],
}

--- Files and lines that look at other texts.
local reads_others = {
  ['emit/marks.lua'] = 'its own marks', ['emit/gaps.lua'] = 'its own gaps',
  ['emit/template.lua'] = 'templates', ['emit/template_inputs.lua'] = 'templates',
  ['emit/manifest.lua'] = 'files of an earlier run', ['vendor/remake.lua'] = 'a command',
  ['vendor/called.lua'] = 'the runtime', ['vendor/definitions.lua'] = 'the runtime',
  ['vendor/code_words.lua'] = 'what it counts',
}
local lines_of_others = {
  [[(file:gsub('%..*', ''))]], [[if file:match('%.[ch]$') then]], -- names of files
}

--- What makes files never reads its own C: what it must know is in a record until it is printed.
function TestHouse.test_no_C_is_read_back()
  unit.assertTrue(#reads_c <= 3)
  local function is_known(line)
    for _, known in ipairs(lists.append(lists.append({}, reads_c), lines_of_others)) do
      if line:find(known, 1, true) then return true end
    end
    return false
  end
  local function check(path, text)
    for line in text:gmatch('[^\n]+') do
      for _, word in ipairs { 'gsub', 'match', 'find', 'sub' } do
        local reads = line:find('[:.]' .. word .. '%s*[%(\'"]') and not line:find 'expression%.find'
        unit.assertTrue(not reads or is_known(line), ('%s: %s'):format(path, line))
      end
    end
  end
  local count = 0
  for path, text in pairs(modules()) do
    if (path:match '^emit/' or path:match '^vendor/') and not reads_others[path] then
      count = count + 1
      check(path, (text:gsub('%-%-[^\n]*', '')))
    end
  end
  for path, text in pairs(support.snapshot(support.root .. '/templates')) do
    if path:match '%.tpl$' then
      for line in text:gmatch '[^\n]+' do
        check(path, line:match '^%s*%%.*' or line:match '%$%b{}' or '')
      end
    end
  end
  unit.assertTrue(count > 30)
  -- The check sees what it looks for.
  unit.assertFalse((pcall(check, 'wrong.lua', "local name = text:match '%((.-)%)'")))
end

-- Vocabularies -----------------------------------------------------------------------------------

local vocabularies = { 'activation', 'arithmetic', 'operand', 'isa', 'weights', 'cpu', 'kind' }

--- Everything that may read a field: generator without the lists, templates, the tests of kernels.
local function readers()
  local texts = {}
  for path, text in pairs(modules()) do
    if not path:match('/init%.lua$') then texts[#texts + 1] = code_of(text) end
  end
  for _, text in pairs(support.snapshot(support.root .. '/templates')) do
    texts[#texts + 1] = text
  end
  return table.concat(texts, '\n')
end

--- A field that a vocabulary's files give and nothing reads is dead, or a promise nobody keeps.
function TestHouse.test_fields_are_read()
  local text, count = readers(), 0
  for _, folder in ipairs(vocabularies) do
    local fields, list = {}, require(folder)
    for _, name in ipairs(list.names) do
      local path = ('%s/generator/%s/%s.lua'):format(support.project, folder, name)
      for field in pairs(dofile(path)) do fields[field] = true end
    end
    for _, field in ipairs(support.keys(fields)) do
      count = count + 1
      unit.assertNotNil(text:find('[%w_%])]%.' .. field .. '%f[^%w_]'),
        ('generator/%s: nothing reads the field %s'):format(folder, field))
    end
  end
  unit.assertTrue(count > 30)
end

--- Layers of every kind and form, to see what reads of their records.
local of_all_forms = [[
activation 'own' (function(x, p) return x * sigmoid(p.slope * x) end)
ffn 'gated' { variant = 'swiglu', d_model = 96, d_ff = 256, backward = true, bias = true,
  dropout = { hidden = 0.1 } }
ffn 'learned' { variant = 'own', d_model = 8, d_ff = 16, backward = true }
ffn 'once' { variant = 'relu', d_model = 640, d_ff = 1280, max_tokens = 1 }
ffn 'large' { variant = 'relu', d_model = 640, d_ff = 2560 }
mlp 'small' { d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1 } }, bias = true }
mlp 'few' { d_model = 10, layers = { { 33, 'relu' }, { 1 } }, optimise = 'size' }
selfgate 'itself' { activation = 'silu', d_model = 12 }
linear 'line' { d_model = 2, d_out = 2, bias = true }
]]

--- Fields that what ffngen makes of these layers does not ask.
local read_elsewhere = {
  ['stage plan.block_bytes'] = 'of operands in groups',
  ['summing.begin_group'] = 'of operands in groups',
  ['summing.end_group'] = 'of operands in groups',
  ['summing.narrow'] = 'of operands in groups',
  ['summing.end_narrow'] = 'of sums in 16 bits',
  ['kind stage.takes'] = 'for the message where a format does not divide it',
  ['summing.end_shared'] = 'of operands in groups',
  ['sums of a tile.names_of'] = 'of operands in groups',
  ['layer.place'] = 'for the message where two layers have one name',
  ['layout.groups'] = 'of formats with groups',
  ['fetching of a tile.spread'] = 'of formats with levels',
  ['part.at'] = 'of formats with levels', ['part.bytes'] = 'of formats with levels',
  ['part.count'] = 'of formats with levels',
}

--- The same of every strict record: a stage that says what no later one asks says it to tests.
function TestHouse.test_records_are_read()
  local folder = support.folder()
  support.write(folder .. '/my.lua', of_all_forms)
  support.write(folder .. '/w.bin', ('\0'):rep(4 * 6))
  support.sh('mkdir', folder .. '/model')
  support.write(folder .. '/model/model.safetensors',
    (model_files.text(model_files.llama(0, 'F32'))))
  support.sh('mkdir', folder .. '/alone')
  support.sh('cp', support.root .. '/tests/data/import/hf/llama/config.json', folder .. '/alone')
  support.write(folder .. '/model.gguf',
    (gguf_file.text(gguf_file.mixture { architecture = 'deepseek2', leading = 1, shared = 64,
      keys = { { 'deepseek2.expert_shared_count', 2 } } })))
  local unread, count = fields_read.unread(function()
    for _, arguments in ipairs {
      { 'generate', 'my.lua', '--out', 'kernels' }, { 'list', 'my.lua' },
      { 'explain', 'gated', 'my.lua' }, { 'explain', 'small', 'my.lua' },
      { 'explain', 'large', 'my.lua' }, { 'vendor', 'my.lua', '--out', 'all', '--prefix', 'my' },
      { 'vendor', 'my.lua', '--out', 'flat', '--flat' },
      { 'vendor', 'my.lua', '--out', 'one', '--prefix', 'my', '--layer', 'line', '--isa', 'c',
        '--no-dispatch', '--weights', 'w.bin' },
      { 'import', 'model', '--out', 'imported', '--variant', 'swiglu' },
      { 'import', 'model', '--list', '--json', '--variant', 'swiglu' },
      { 'import', 'model.gguf', '--list', '--also', 'all' },
      { 'import', support.root .. '/tests/data/import/packed/origin_gptq', '--out', 'packed',
        '--spec-only' },
      { 'import', support.root .. '/tests/data/import/packed/origin_mxfp4', '--list' },
      { 'import', support.root .. '/tests/data/import/hf/deepseek_v3', '--list',
        '--also', 'attention,head' },
      { 'import', support.root .. '/tests/data/import/hf/phimoe', '--list', '--also', 'all' },
      { 'import', support.root .. '/tests/data/import/moe/qwen2_moe', '--out', 'moe',
        '--spec-only', '--also', 'router' },
      { 'import', support.root .. '/tests/data/import/hf/ernie4_5_moe', '--list' },
      { 'import', 'alone', '--list', '--spec-only' },
    } do
      support.assert_code(in_process.run(support.project, arguments, folder), 0,
        table.concat(arguments, ' '))
    end
  end)
  unit.assertEquals(lists.filter(unread, function(field) return not read_elsewhere[field] end), {},
    'fields that nothing reads')
  for field in pairs(read_elsewhere) do
    unit.assertTrue(lists.has(unread, field), field .. ': no exception, it is read')
  end
  unit.assertTrue(count > 200)
end

--- What Lua files read of the modules that they require, as "module.field"; and which modules are
--- required, but never handed on as a whole.
local function reads_of_modules()
  local read, whole, required = {}, {}, {}
  local function look(text)
    local module_of = {}
    local code = text:gsub('%-%- [^\n]*', ''):gsub("local ([%w_]+) = require '([%w_.]+)'",
      function(name, module)
        module_of[name], required[module] = module, true
        return ''
      end)
    for module, field in code:gmatch "require%('([%w_.]+)'%)%.([%w_]+)" do
      read[module .. '.' .. field] = true
    end
    for name, dot, field in code:gmatch '%f[%w_]([%w_]+)(%.?)([%w_]*)' do
      local module = module_of[name]
      if module and dot == '' then whole[module] = true end
      if module then read[module .. '.' .. field] = true end
    end
  end
  for _, folder in ipairs { 'generator', 'tests' } do
    for path, text in pairs(support.snapshot(support.root .. '/' .. folder)) do
      if path:match '%.lua$' then look(text) end
    end
  end
  for module in pairs(whole) do required[module] = nil end
  return read, required
end

--- Functions that a module gives though no other file reads them by the module's name.
local given_anyway = {
  ['pipeline.write'] = 'the last of five steps, which all stand in one table',
  ['import.readers.onnx.recognises'] = 'a field of every reader',
}

--- What a module gives is read elsewhere: all else is the file's own.
function TestHouse.test_functions_are_read()
  local read, apart = reads_of_modules()
  local unread, count = {}, 0
  local function look(path, text)
    local module = path:gsub('%.lua$', ''):gsub('/init$', ''):gsub('/', '.')
    local is_apart = apart[module] and not text:find('M[', 1, true)
    for name in text:gmatch '\nfunction M%.([%w_]+)%(' do
      local own = module .. '.' .. name
      if is_apart and not given_anyway[own] then
        count = count + 1
        unread[#unread + 1] = not read[own] and own or nil
      end
    end
  end
  for path, text in pairs(modules()) do look(path, text) end
  unit.assertEquals(unread, {}, 'functions that no other file reads')
  unit.assertTrue(count > 600)
end

--- false is something that a file says: no reader takes what stands for a lack of a key.
function TestHouse.test_false_is_no_lack()
  local reads = 0
  for path, text in pairs(support.snapshot(support.root .. '/generator/import')) do
    for line in text:gmatch '[^\n]*:get[^\n]*' do
      reads = reads + 1
      unit.assertTrue(line:find '^%s*if ' ~= nil or not (line:find ":get '[%w_]+' or "
        or line:find ':get%([^()]*%) or '), path .. ': get_or() says this: ' .. line)
    end
  end
  unit.assertTrue(reads > 50)
end

--- A module has one name, whoever requires it: a reader learns it once.
function TestHouse.test_one_name_of_a_module()
  local name_of, count = {}, 0
  local function look(path, text)
    for name, module in text:gmatch("local ([%w_]+) = require '([%w_.]+)'") do
      count = count + 1
      name_of[module] = name_of[module] or name
      unit.assertEquals(name, name_of[module], path .. ': ' .. module)
    end
  end
  for _, folder in ipairs { 'generator', 'tests' } do
    local files = support.snapshot(support.root .. '/' .. folder)
    for _, path in ipairs(support.keys(files)) do
      if path:match('%.lua$') then look(path, files[path]) end
    end
  end
  unit.assertTrue(count > 500)
end

--- A file in the folder of a list is a name of the list, and the other way round.
function TestHouse.test_names_and_files()
  local others = {
    activation = { exp = true, vmath = true }, arithmetic = { arithmetic = true },
    commands = {
      arguments = true, code_costs = true, exits = true, help = true, mixtures = true, page = true,
      project = true, sizes = true,
    },
    cpu = { suits = true },
    isa = { derived = true, tables = true, x86 = true },
    operand = { format = true, quantised = true },
    kind = { kind = true, naming = true, gated = true },
    weights = { -- what all formats are held to, and what some of them share
      format = true, group = true, layout = true, quantization_blocks = true, bytes = true,
      f8 = true, fifth_bits = true, grouped = true, f16_scales = true, levels16 = true,
      minima = true, nibbles = true, opened = true, operand_planes = true, position = true,
    },
  }
  for _, folder in ipairs { 'commands', table.unpack(vocabularies) } do
    local listed, files = {}, {}
    for _, name in ipairs(require(folder).names) do listed[name] = true end
    for path in pairs(modules()) do
      local name = path:match('^' .. folder .. '/([%w_]+)%.lua$')
      if name and name ~= 'init' and not (others[folder] or {})[name] then files[name] = true end
    end
    unit.assertEquals(support.keys(listed), support.keys(files), folder)
  end
end

--- Every intrinsic of 512 bits that the generator knows has a stand-in for CPUs without it.
function TestHouse.test_stand_ins()
  local header = support.read(support.root .. '/tests/support/stand_in_avx512.h')
  local there, count = {}, 0
  for name in header:gmatch 'test_512_([%l%d_]+)' do there[name] = true end
  for arguments in header:gmatch '\nTEST_%u+(%b())' do
    for name in arguments:gmatch '[%l%d_]+' do there[name] = true end
  end
  for path, text in pairs(modules()) do
    for name in text:gmatch '_mm512_([%l%d_]+)' do
      count = count + 1
      unit.assertTrue(there[name], ('%s: _mm512_%s has no stand-in'):format(path, name))
    end
  end
  unit.assertTrue(count > 60)
end
