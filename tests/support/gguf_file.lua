--- Makes GGUF files for tests: any header, right or wrong, without the package that others use.
local M = {}

M.value_types = {
  u8 = 0, i8 = 1, u16 = 2, i16 = 3, u32 = 4, i32 = 5, f32 = 6, bool = 7, text = 8, array = 9,
  u64 = 10, i64 = 11, f64 = 12,
}

local packs = {
  u8 = '<I1', i8 = '<i1', u16 = '<I2', i16 = '<i2', u32 = '<I4', i32 = '<i4', f32 = '<f',
  bool = '<I1', u64 = '<i8', i64 = '<i8', f64 = '<d',
}

--- Types of tensors: number, numbers in a block, its bytes.
M.types = {
  F32 = { 0, 1, 4 }, F16 = { 1, 1, 2 }, BF16 = { 30, 1, 2 }, Q4_0 = { 2, 32, 18 },
  Q5_0 = { 6, 32, 22 }, Q8_0 = { 8, 32, 34 }, Q4_K = { 12, 256, 144 }, Q6_K = { 14, 256, 210 },
  IQ3_S = { 21, 256, 110 }, I8 = { 24, 1, 1 }, NVFP4 = { 40, 64, 36 },
}

local function text(s) return string.pack('<i8', #s) .. s end

--- A value with its type: { 'u32', 7 }, { 'array', 'text', { 'a', 'b' } }, { 'raw', bytes }.
local function value(v)
  if v[1] == 'raw' then return v[2] end
  local kind = string.pack('<I4', M.value_types[v[1]])
  if v[1] == 'text' then return kind .. text(v[2]) end
  if v[1] ~= 'array' then return kind .. string.pack(packs[v[1]], v[2]) end
  local items = { kind, string.pack('<I4i8', M.value_types[v[2]], #v[3]) }
  for _, item in ipairs(v[3]) do
    items[#items + 1] = v[2] == 'text' and text(item) or string.pack(packs[v[2]], item)
  end
  return table.concat(items)
end

--- Keys of a Lua table's values: integers as u32, others by their type, lists by their first.
function M.plain(v)
  if type(v) == 'string' then return { 'text', v } end
  if type(v) == 'boolean' then return { 'bool', v and 1 or 0 } end
  if math.type(v) == 'integer' then return { 'u32', v } end
  if type(v) == 'number' then return { 'f32', v } end
  if type(v[1]) == 'number' then return { 'array', 'u32', v } end
  return v
end

--- Bytes of a tensor: any, by a seed, or those given.
local function bytes_of(t, size, seed)
  if t.data then return t.data end
  local bytes, state = {}, seed
  for i = 1, size do
    state = (state * 1103515245 + 12345) & 0x7fffffff
    bytes[i] = string.char(state >> 16 & 0x7f)
  end
  return table.concat(bytes)
end

---@class GgufTest
---@field version integer|nil
---@field keys table[]     { name, value } in order; a value as plain() takes it
---@field tensors table[]  { name =, shape = { inputs, outputs ... }, type =, offset =, data = }
---@field alignment integer|nil  of offsets; a key says it if that is not 32
---@field counts integer[]|nil   what the header says of tensors and keys, if something else
---@field cut integer|nil        bytes that are missing at the end

--- The text of a file, and where its data begin.
---@param f GgufTest
---@return string
---@return integer
function M.text(f)
  local alignment, parts = f.alignment or 32, {}
  local counts = f.counts or { #f.tensors, #f.keys }
  parts[1] = 'GGUF' .. string.pack('<I4i8i8', f.version or 3, counts[1], counts[2])
  for _, key in ipairs(f.keys) do parts[#parts + 1] = text(key[1]) .. value(M.plain(key[2])) end
  local data, at = {}, 0
  for i, t in ipairs(f.tensors) do
    local kind, count = M.types[t.type] or { t.type, 1, 1 }, 1
    for _, n in ipairs(t.shape) do count = count * n end
    parts[#parts + 1] = text(t.name) .. string.pack('<I4', #t.shape)
    for _, n in ipairs(t.shape) do parts[#parts + 1] = string.pack('<i8', n) end
    parts[#parts + 1] = string.pack('<I4i8', kind[1], t.offset or at)
    local own = t.empty and '' or bytes_of(t, count // kind[2] * kind[3], i)
    data[#data + 1] = own .. ('\0'):rep(-#own % alignment)
    at = at + #data[#data]
  end
  local head = table.concat(parts)
  local padding = #f.tensors > 0 and -#head % alignment or 0
  local all = head .. ('\0'):rep(padding) .. table.concat(data)
  return all:sub(1, #all - (f.cut or 0)), #head + padding
end

--- A value of a key is put in another's place; nil takes the key away.
function M.set(keys, name, v)
  for i, key in ipairs(keys) do
    if key[1] == name then
      if v == nil then table.remove(keys, i) else key[2] = v end
      return
    end
  end
  keys[#keys + 1] = { name, v }
end

--- A small model: its keys and the tensors of its blocks.
---@param o table  architecture, d_model, d_ff, blocks, type, names = { stem of each tensor =
--- { shape, type } }, keys = more of them
---@return GgufTest
function M.model(o)
  local d, f, a = o.d_model or 64, o.d_ff or 96, o.architecture or 'llama'
  local keys = {
    { 'general.architecture', a }, { 'general.name', 'a test' }, { a .. '.block_count', o.blocks },
    { a .. '.embedding_length', d }, { a .. '.feed_forward_length', f },
  }
  for _, key in ipairs(o.keys or {}) do keys[#keys + 1] = key end
  local tensors = { { name = 'token_embd.weight', shape = { d, 8 }, type = 'F32' } }
  for block = 0, o.blocks - 1 do
    for _, t in ipairs(o.tensors(d, f, block)) do
      tensors[#tensors + 1] = {
        name = ('blk.%d.%s'):format(block, t[1]), shape = t[2], type = t[3] or 'F32',
      }
    end
  end
  tensors[#tensors + 1] = { name = 'output_norm.weight', shape = { d }, type = 'F32' }
  return { keys = keys, tensors = tensors }
end

--- The tensors of a block of SwiGLU behind a norm.
function M.gated(d, f)
  return {
    { 'attn_norm.weight', { d } }, { 'attn_q.weight', { d, d } }, { 'ffn_norm.weight', { d } },
    { 'ffn_gate.weight', { d, f }, 'Q8_0' }, { 'ffn_up.weight', { d, f }, 'Q8_0' },
    { 'ffn_down.weight', { f, d }, 'BF16' },
  }
end

--- A model of such blocks, each of whose gate and up are of one type, and whose down is of another.
---@param types string[][]  of each block
---@param width integer|nil
---@param d_ff integer|nil
function M.typed(types, width, d_ff)
  local function tensors(d, f, block)
    local own, list = types[block + 1], M.gated(d, f)
    for _, t in ipairs(list) do
      local role = t[1]:match '^ffn_(%l+)%.weight$'
      if role ~= 'norm' and role then t[3] = role == 'down' and own[2] or own[1] end
    end
    return list
  end
  return M.model {
    blocks = #types, d_model = width, d_ff = d_ff, tensors = tensors,
    keys = { { 'llama.attention.layer_norm_rms_epsilon', 1e-5 } },
  }
end

local function append(list, more) return table.move(more, 1, #more, #list + 1, list) end

--- A mixture of experts.
---@param o table  architecture; count and width of experts; leading blocks without; fused; the
--- width of one that is shared; norms; with biases; keys
function M.mixture(o)
  local count, width = o.count or 3, o.width or 32
  local function tensors(d, f, block)
    local list = {}
    for i, stem in ipairs(o.norms or { 'ffn_norm' }) do list[i] = { stem .. '.weight', { d } } end
    if block < (o.leading or 0) then
      return append(list, {
        { 'ffn_gate.weight', { d, f } }, { 'ffn_up.weight', { d, f } },
        { 'ffn_down.weight', { f, d } },
      })
    end
    append(list, {
      { 'ffn_gate_inp.weight', { d, count } },
      { 'ffn_down_exps.weight', { width, d, count }, 'Q8_0' },
    })
    if o.fused then
      list[#list + 1] = { 'ffn_gate_up_exps.weight', { d, 2 * width, count }, 'Q8_0' }
    else
      list[#list + 1] = { 'ffn_gate_exps.weight', { d, width, count }, 'Q8_0' }
      list[#list + 1] = { 'ffn_up_exps.weight', { d, width, count }, 'Q8_0' }
    end
    if o.bias then
      append(list, {
        { 'ffn_gate_exps.bias', { width, count } }, { 'ffn_up_exps.bias', { width, count } },
        { 'ffn_down_exps.bias', { d, count } },
      })
    end
    if o.shared then
      append(list, {
        { 'ffn_gate_shexp.weight', { d, o.shared } }, { 'ffn_up_shexp.weight', { d, o.shared } },
        { 'ffn_down_shexp.weight', { o.shared, d } }, { 'ffn_gate_inp_shexp.weight', { d } },
      })
    end
    return list
  end
  local a = o.architecture
  local keys = {
    { a .. '.expert_count', count }, { a .. '.expert_used_count', 2 },
    { a .. '.expert_feed_forward_length', width }, { a .. '.expert_weights_scale', 2.5 },
  }
  return M.model {
    architecture = a, blocks = o.blocks or 2, d_model = o.d_model, tensors = tensors,
    keys = append(keys, o.keys or {}),
  }
end

return M
