--- The comments of emitted functions, as a reviewer reads them: what is not inlined, and what is
--- longer than ten lines, says on what it works, and where its pointers may begin.
local unit = require 'luaunit'
local support = require 'support'
local lists = require 'common.list'
local weights = require 'weights'

TestComments = {}

--- Layers in each form that a kernel may have, and formats with levels, with a head and with none.
local spec_text = [[
local all = { { isa = { 'c', 'avx2', 'avx512', 'neon', 'wasm' } } }
local some = { { isa = { 'avx2', 'avx512' } } }
ffn 'k' { variant = 'swiglu', d_model = 256, d_ff = 512, weights = 'q4_K', build = some }
ffn 'trained' { variant = 'swiglu', d_model = 256, d_ff = 512, backward = true, build = some }
ffn 'small' { variant = 'gelu', d_model = 256, d_ff = 512, optimise = 'size', weights = 'u4g32',
  build = { { isa = { 'c' } } } }
ffn 'one' { variant = 'relu', d_model = 512, d_ff = 512, max_tokens = 1, build = some }
linear 'beside' { d_model = 512, d_out = { q = 512, k = 128 }, weights = 'q8_0', build = some }
linear 'head' { d_model = 64, d_out = 80, weights = 'f8_e4m3_row', build = all }
mlp 'chain' { d_model = 10, layers = { { 40, 'relu' }, { 1 } }, weights = 'i8', build = all }
selfgate 'itself' { activation = 'silu', d_model = 512, build = some }
]]

--- The same in every format, in few bytes of code: what packs them is there in full.
local function all_formats()
  return table.concat(lists.map(weights.names, function(name)
    return ("ffn '%s' { variant = 'relu', d_model = 256, d_ff = 256, optimise = 'size', "
      .. "weights = '%s', build = { { isa = { 'c' } } } }\n"):format(name, name)
  end))
end

local longest = 10

--- What a function works on: a word behind a count, a name of one, or in front of a range.
local units = lists.set {
  'byte', 'bytes', 'column', 'columns', 'float', 'floats', 'input', 'inputs', 'k', 'lane', 'lanes',
  'outputs', 'row', 'rows', 'stages', 'sums', 'tokens', 'weight', 'weights',
}
local counts = lists.set { 'a', 'all', 'each', 'four', 'many', 'one', 'two' }

---@param comment string
---@return boolean
local function names_extent(comment)
  local words = {}
  for word in comment:lower():gmatch '%S+' do words[#words + 1] = (word:gsub('[,.;:]+$', '')) end
  for i, word in ipairs(words) do
    local before, behind = words[i - 1] or '', words[i + 1] or ''
    if units[word] and (before:find '^%d+$' or before:find '^`.+`$' or counts[before]
      or behind:find '^%[') then
      return true
    end
  end
  return false
end

--- Whether parameters have pointers to numbers, vectors of an instruction set aside.
local function has_pointers(parameters)
  parameters = parameters:gsub('%(%*%w[^)]*%)%b()', '') -- but for those to functions
  for _, type in ipairs { 'float', 'char', 'uint8_t', 'uint16_t', 'uint32_t' } do
    if parameters:find('%f[%w_]' .. type .. ' %*') then return true end
  end
  return false
end

--- The comment that ends where a function begins; '' where none does.
local function comment_before(text, from)
  local before = text:sub(math.max(1, from - 2000), from - 1)
  return before:find '%*/\n$' and before:match '.*(/%*.*)$' or ''
end

--- The functions of a file: check(name, parameters, comment, lines, whether it is inlined).
local function each_function(text, check)
  local count = 0
  -- A definition begins at the begin of a line, and ends at the next brace that stands there.
  for from, head, body in text:gmatch '\n()([%a][%w_ %*]-%([^;{}#]-%)) ({\n.-\n})' do
    local before = comment_before(text, from)
    local _, lines = (head .. body):gsub('\n', '')
    check(head:match '([%w_]+)%(', head:match '%b()', before, lines + 1,
      head:find('^%u+_INLINE') or head:find('^%u+_SHARED'))
    count = count + 1
  end
  return count
end

--- What is wrong with the comments of a file.
local function complaints(path, text)
  local list = {}
  local count = each_function(text, function(name, parameters, comment, lines, is_inlined)
    if is_inlined and lines <= longest then return end
    if not names_extent(comment) then
      list[#list + 1] = ('%s: %s names no extent: %s'):format(path, name, comment)
    elseif has_pointers(parameters) and not (comment:find 'begin' or comment:find 'multiple') then
      list[#list + 1] = ('%s: %s says not where pointers begin: %s'):format(path, name, comment)
    end
  end)
  return list, count
end

--- What the check itself makes of some functions.
function TestComments.test_check()
  local body = ' {\n' .. ('  f();\n'):rep(9) .. '}\n'
  local function of(text) return complaints('file', '\n' .. text) end
  unit.assertEquals(#of('/* Rows [0, 2). */\nstatic void f(size_t n)' .. body), 0)
  unit.assertEquals(#of('/* At most 6 rows. */\nFFN_INLINE void f(size_t n)' .. body), 0)
  unit.assertEquals(#of('/* `count` k. */\nFFN_INLINE void f(size_t n)' .. body), 0)
  unit.assertEquals(#of('/* Some rows. */\nstatic void f(size_t n)' .. body), 1)
  unit.assertEquals(#of('static void f(size_t n)' .. body), 1)
  unit.assertEquals(#of('static void f(size_t n) {\n  g();\n}\n'), 1)
  unit.assertEquals(#of('FFN_INLINE void f(size_t n) {\n  g();\n}\n'), 0)
  unit.assertEquals(#of('/* All rows. */\nstatic void f(const float *x)' .. body), 1)
  local said = '/* All rows; x begins anywhere. */\nstatic void f(const float *x)'
  unit.assertEquals(#of(said .. body), 0)
end

--- Checks the kernels of a folder.
local function check_folder(files, least)
  local all, functions, kernels = {}, 0, 0
  for _, path in ipairs(support.keys(files)) do
    if path:find '_d?%d.*%.c$' then
      local list, count = complaints(path, files[path])
      table.move(list, 1, #list, #all + 1, all)
      functions, kernels = functions + count, kernels + 1
    end
  end
  unit.assertEquals(table.concat(all, '\n'), '')
  unit.assertEquals(kernels, least)
  unit.assertTrue(functions > 8 * kernels, functions)
end

function TestComments.test_generated()
  check_folder(support.snapshot(support.project .. '/generated'), 20)
end

function TestComments.test_forms()
  local folder = support.folder()
  support.write(folder .. '/my.lua', spec_text .. all_formats())
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out' }, { dir = folder })
  support.assert_code(result, 0, 'generate')
  check_folder(support.snapshot(folder .. '/out'), 23 + #weights.names)
end
