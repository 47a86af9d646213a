--- The instruction sets by name. One file each, and a name in this list. Append only: the order is
--- that of the enumerators in C, and means nothing else. `rank` says which is preferred where a CPU
--- allows several, the highest.
---
--- `files` are registers, apart for each kind: vector, mask. `words` are there in every instruction
--- set; `arithmetic` says which arithmetics one has, and the words that only these need. A word may
--- call a function, `word_helpers`, which a kernel has where it uses the word, and which stands for
--- `word_instructions`. `arguments` are which of its arguments each word's text takes. `only_with`
--- names the arithmetic for whose sake alone a set is there: other layers have no kernels for this
--- set. `operand_helpers` stand for functions of the same names in operand/, in portable C there. A
--- word that ends in _at is the word without, but reads its last argument, for all lanes, at an
--- address; a set may have it in place of the other. `in_assembler`: what `target` says is known to
--- clang alone, and other compilers are told where an instruction stands. Where one instruction
--- multiplies the bytes of several rows, `matrix` says of how many, `rows`, and how many bytes of
--- opened weights may wait for it, `opened`; `matrix_helpers` are the functions that say it.
--- `unrolls` is the macro in front of a loop over the steps of a group of bytes; by `unrolls_two`
--- one over two groups is written out, too.
local record = require 'common.record'

local names = {
  'c', 'neon', 'avx2', 'avx512', 'wasm', 'avx512_vnni', 'neon_dotprod', 'neon_i8mm', 'avx_vnni',
  'avx512_amx', 'wasm_relaxed',
}

local M = { names = {}, by_name = {} }

local schema = record.schema {
  name = 'string', title = 'string', arch = 'string', include = 'string', target = 'string',
  detect = 'string', rank = 'integer', lanes = 'integer', files = 'table',
  broadcasts = 'boolean', operands = 'boolean', settles = 'boolean', fused = 'boolean',
  wide = { one_of = { 'never', 'perhaps', 'always' } }, code_bytes = { 'table', false },
  vec = 'string', ivec = 'string', helpers = 'string', word_instructions = 'table',
  word_helpers = 'table', store_tail = 'string', turn = 'string', turn_in = 'string',
  turn_out = 'string', dots = 'string', arithmetic = 'table', words = 'table',
  unrolls = { 'string', '' }, unrolls_two = { 'boolean', false }, only_with = { 'string', false },
  in_assembler = { 'boolean', false }, operand_helpers = { 'table', false },
  matrix = { 'table', false }, matrix_helpers = { 'string', '' },
}

--- The words of an instruction set, those of its arithmetics among them.
local function words_of(isa)
  local words = {}
  local function add(more)
    for _, word in ipairs(record.sorted_keys(more)) do
      if words[word] then error(('isa/%s.lua: two words "%s"'):format(isa.name, word), 0) end
      words[word] = more[word]
    end
  end
  add(isa.words)
  for _, arithmetic in ipairs(record.sorted_keys(isa.arithmetic)) do
    add(isa.arithmetic[arithmetic])
  end
  return words
end

--- Which of its arguments the text of each word takes.
---@param words table<string, string>
---@return table<string, table<integer, boolean>>
local function arguments_of(words)
  local arguments = {}
  for _, word in ipairs(record.sorted_keys(words)) do
    arguments[word] = {}
    for i in words[word]:gmatch '%$(%d)' do arguments[word][math.tointeger(i)] = true end
  end
  return arguments
end

for _, name in ipairs(names) do
  M.names[#M.names + 1] = name
  local isa = schema:read(require('isa.' .. name), ('isa/%s.lua'):format(name))
  isa.words = words_of(isa)
  isa.arguments = arguments_of(isa.words)
  M.by_name[name] = record.strict('isa ' .. name, isa)
end

return M
