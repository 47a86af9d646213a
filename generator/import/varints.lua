--- Numbers that a file has as varints: integers of one to ten bytes, as int32_data of ONNX has
--- them. They have no place, for each has as many bytes as it needs. ffn-pack decodes them, and
--- a plan calls what it makes of them a file.
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class Varints
---@field file integer   index of the file that has them, from 1
---@field first integer  the byte there at which they begin
---@field bytes integer  of all of them
---@field type string    of the numbers

--- Bytes of a number of each type, and the least and the most that an integer may be. Floats are
--- stored as their bits.
M.types = {
  i8 = { 1, -128, 127 }, u8 = { 1, 0, 255 }, f16 = { 2, 0, 65535 }, bf16 = { 2, 0, 65535 },
  i32 = { 4, -1 << 31, (1 << 31) - 1 },
}

local record_of = record.schema {
  file = 'integer', first = 'integer', bytes = 'integer', type = 'string',
}

--- Refuses what cannot be decoded to a file: every number has at least a byte.
---@param file FoundFile
---@param of FoundFile|nil  that has the varints
function M.check(file, of)
  local v = record.strict('varints', record_of:fill(file.varints, 'varints'))
  local own = M.types[v.type] or error(('varints: no type "%s"'):format(v.type), 0)
  if not of or of.varints then error('varints: they are in no file of the model', 0) end
  if v.first < 0 or v.bytes < 0 or v.first > of.bytes or v.bytes > of.bytes - v.first
    or file.bytes % own[1] ~= 0 or file.bytes // own[1] > v.bytes then
    problems.bad_input(of.path, '%d bytes from %d on are no varints of %d bytes', v.bytes, v.first,
      file.bytes)
  end
end

--- varints.inc: the types, for ffn-pack.
---@return string
function M.text()
  local lines = {}
  for _, name in ipairs(record.sorted_keys(M.types)) do
    local own = M.types[name]
    lines[#lines + 1] = ('FFN_PACK_VARINT(%s, %d, %d, %d)'):format(name, own[1], own[2], own[3])
  end
  return table.concat {
    '/* Made by ffngen packaging. Do not edit.\n *\n',
    ' * FFN_PACK_VARINT(type, bytes, least, most): numbers that a file has as varints. */\n',
    table.concat(lines, '\n'), '\n',
  }
end

return M
