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

--- Encodings: of how many inputs and outputs a unit holds numbers, and its bytes. Number (o, i) is
--- in the unit at first + o // outputs * row_bytes + i // inputs * column_bytes.
---@class ScaledUnit
---@field inputs integer
---@field outputs integer
---@field bytes integer
---@field about string
local function unit(inputs, outputs, bytes, about)
  return { inputs = inputs, outputs = outputs, bytes = bytes, about = about }
end
M.units = {
  u4_in2 = unit(2, 1, 1, 'nibbles of two inputs in a byte, the low one first'),
  u4_in8 = unit(8, 1, 4, 'nibbles of eight inputs in 32 bits, lowest first'),
  u4_out8 = unit(1, 8, 4, 'nibbles of eight outputs in 32 bits, lowest first'),
  u4_awq8 = unit(1, 8, 4, 'nibbles of eight outputs in 32 bits, lowest first: 0 2 4 6 1 3 5 7'),
  e2m1_in2 = unit(2, 1, 1, 'floats of 4 bits, two inputs in a byte, the low one first'),
  e4m3 = unit(1, 1, 1, 'floats of 8 bits, E4M3 without infinities'),
  i8 = unit(1, 1, 1, 'signed bytes'),
  u8 = unit(1, 1, 1, 'unsigned bytes'),
}

--- What scales, zeros and groups may be, by what the numbers are.
local float_scales = { f16 = 2, bf16 = 2, f32 = 4 }
local zeros = {
  nibbles = { u4_in2 = true, u4_in8 = true, u4_out8 = true, u4_awq8 = true, u8 = true },
  i8 = { i8 = true }, u8 = { u8 = true },
}

local function is_nibble(encoding) return encoding:find '^u4_' ~= nil end

--- Which zeros numbers may have; nil: none.
---@return table<string, boolean>|nil
function M.zeros_of(encoding) return zeros[is_nibble(encoding) and 'nibbles' or encoding] end

--- The bytes of a scale of numbers of an encoding, nil where such numbers have none of its kind.
---@param encoding string
---@param scale string
---@return integer|nil
function M.scale_bytes(encoding, scale)
  if encoding == 'e2m1_in2' then return scale == 'e8m0' and 1 or nil end
  return float_scales[scale]
end

local groups = { [32] = true, [64] = true, [128] = true }

--- The format that holds numbers exactly, as they are; nil where none does.
---@param encoding string
---@param every integer
---@param scale string       encoding of the scales
---@param has_zeros boolean
---@return string|nil
function M.format(encoding, every, scale, has_zeros)
  if is_nibble(encoding) then
    return groups[every] and ('u4g%d%s'):format(every, scale == 'f16' and '' or '_' .. scale) or nil
  elseif encoding == 'e2m1_in2' then
    return every == 32 and 'mxfp4' or nil
  elseif encoding == 'e4m3' then
    return every == 128 and 'f8_e4m3' or every == 0 and 'f8_e4m3_row' or nil
  elseif every == 0 then
    return encoding == 'i8' and not has_zeros and 'i8' or 'i8z'
  end
  return nil
end

--- Whether they may be decoded, rounded once a number.
function M.is_decoded(encoding) return encoding ~= 'e2m1_in2' end

return M
