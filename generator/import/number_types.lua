--- Numbers that stand by themselves in a file: what plans call them, and how large they are.
local M = {}

--- Bytes of a number, by its encoding.
M.bytes = { f64 = 8, f32 = 4, f16 = 2, bf16 = 2 }

--- Encodings by the types of safetensors.
M.of_type = { F64 = 'f64', F32 = 'f32', F16 = 'f16', BF16 = 'bf16' }

return M
