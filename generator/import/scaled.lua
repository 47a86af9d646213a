--- Numbers whose scales are in arrays of their own, as GPTQ, AWQ, compressed-tensors, FP8 and
--- graphs of ONNX have them: number (o, i) is scale * (q - zero), of the scale and zero of its
--- group. How they lie, and which format of weights/ holds them exactly.
local M = {}

--- What a matrix in scaled numbers has beside them. Of a group of `every` neighbouring inputs.
---@class Scaled
---@field every integer        inputs that share a scale; 0: all of an output
---@field scales Beside        f16, bf16, f32; e8m0 of e2m1_in2
---@field zeros Beside|false   as numbers of the same size are encoded; false: 8 of nibbles, else 0
---@field groups Beside|false  i32 [inputs], the group of each, which ffn-pack checks to ascend

--- Number (o, g) is at first + o // rows * row_bytes + g * column_bytes, in the units of its
--- encoding; of `groups` number i at first + i * column_bytes.
---@class Beside
---@field tensor string
---@field file integer
---@field first integer
---@field bytes integer
---@field encoding string
---@field row_bytes integer
---@field column_bytes integer
---@field rows integer  neighbouring outputs that share a row: 128 of blocks, all of a matrix; 1
---@field add integer   of zeros: so much more than is stored, 1 of GPTQ's first version; else 0
---@field only integer  of zeros: what each has to be, as the model's config says; 0: any

--- Encodings: of how many inputs and outputs a unit holds numbers, and its bytes. Number (o, i) is
--- in the unit at first + o // outputs * row_bytes + i // inputs * column_bytes.
---@class ScaledUnit
---@field inputs integer
---@field outputs integer
---@field bytes integer
---@field about string
---@field scales table<string, string>    encodings of scales, with what they add to a format's name
---@field zeros table<string, boolean>    encodings of zeros
---@field plain table<integer, string>    the format that holds them without zeros, by `every`
---@field offset table<integer, string>   and with zeros
---@field decoded boolean                 they may become floats, rounded once a number

local floats = { f16 = '', bf16 = '', f32 = '' } -- widened to f32 in these formats
local kept = { f16 = '', bf16 = '_bf16', f32 = '_f32' }
local groups = { [32] = 'u4g32', [64] = 'u4g64', [128] = 'u4g128' }
local nibbles = { u4_in2 = true, u4_in8 = true, u4_out8 = true, u4_awq8 = true, u8 = true }

local function nibble(inputs, outputs, bytes, about)
  return {
    inputs = inputs, outputs = outputs, bytes = bytes, about = about, scales = kept,
    zeros = nibbles, plain = groups, offset = groups, decoded = true,
  }
end

---@type table<string, ScaledUnit>
M.units = {
  u4_in2 = nibble(2, 1, 1, 'nibbles of two inputs in a byte, the low one first'),
  u4_in8 = nibble(8, 1, 4, 'nibbles of eight inputs in 32 bits, lowest first'),
  u4_out8 = nibble(1, 8, 4, 'nibbles of eight outputs in 32 bits, lowest first'),
  u4_awq8 = nibble(1, 8, 4, 'nibbles of eight outputs in 32 bits, lowest first: 0 2 4 6 1 3 5 7'),
  e2m1_in2 = {
    inputs = 2, outputs = 1, bytes = 1,
    about = 'floats of 4 bits, two inputs in a byte, the low one first', scales = { e8m0 = '' },
    zeros = {}, plain = { [32] = 'mxfp4' }, offset = {}, decoded = false,
  },
  e4m3 = {
    inputs = 1, outputs = 1, bytes = 1, about = 'floats of 8 bits, E4M3 without infinities',
    scales = floats, zeros = {}, plain = { [0] = 'f8_e4m3_row', [128] = 'f8_e4m3' }, offset = {},
    decoded = true,
  },
  i8 = {
    inputs = 1, outputs = 1, bytes = 1, about = 'signed bytes', scales = floats,
    zeros = { i8 = true }, plain = { [0] = 'i8' }, offset = { [0] = 'i8z' }, decoded = true,
  },
  u8 = {
    inputs = 1, outputs = 1, bytes = 1, about = 'unsigned bytes', scales = floats,
    zeros = { u8 = true }, plain = { [0] = 'i8z' }, offset = { [0] = 'i8z' }, decoded = true,
  },
}

--- Integers of a bias that has scales beside it, as a matrix of one input has them, and their
--- bytes: each becomes an f32, rounded once.
M.vectors = { i8 = 1, u8 = 1, i32 = 4 }

local scale_bytes = { f16 = 2, bf16 = 2, f32 = 4, e8m0 = 1 }

--- The bytes of a scale of numbers of an encoding, nil where such numbers have none of its kind.
---@param encoding string
---@param scale string
---@return integer|nil
function M.scale_bytes(encoding, scale)
  return M.units[encoding].scales[scale] and scale_bytes[scale]
end

--- The same of a bias.
---@param scale string
---@return integer|nil
function M.vector_scale_bytes(scale) return floats[scale] and scale_bytes[scale] end

--- The format that holds numbers exactly, as they are; nil where none does.
---@param encoding string
---@param every integer
---@param scale string       encoding of the scales
---@param has_zeros boolean
---@return string|nil
function M.format(encoding, every, scale, has_zeros)
  local unit = M.units[encoding]
  local format = (has_zeros and unit.offset or unit.plain)[every]
  return format and format .. unit.scales[scale]
end

return M
