--- What files call the matrices of a layer: the table that finds them, and that --help and the
--- manual print; and what stands beside them in the files of those who call them so. A file may
--- have any prefix in front of a name: `model.layers.0.mlp.`.
local lists = require 'common.list'

local M = {}

--- Names of modules, as torch.nn.Linear's: the matrix is NAME.weight, its bias NAME.bias.
---@class Convention
---@field gate string|nil
---@field up string
---@field down string
---@field plain boolean|nil     a layer without a gate uses these names of up and down, too
---@field gated_by string|nil   of layers without a gate: a name that only one with a gate has
---@field either_way boolean|nil  some files hold [in][out], as GPT-2's Conv1D does
---@field beside Neighbour[]|nil
---@field of string             who calls them so

--- What else there is behind the prefix of the matrices. Whatever is not here has no place in the
--- layer, and a file that has it is refused.
---@class Neighbour
---@field name string         a module, and all below it, or a tensor
---@field is_of_own boolean|nil  the name stands in front of that of one of the layer's tensors
---@field is_inside boolean|nil  it changes what the layer computes: refused, in these words
---@field is_attention boolean|nil  tells of a whole block
---@field is_norm boolean|nil    of that block, as long as what the layer takes or gives, else it is
---  none of these
---@field why string

local attention, norm = 'comes before the layer', 'normalises what goes in or comes out'

--- Blocks whose feed-forward layer has no module of its own, and what their kin put between.
---@type Neighbour[]
local bart = {
  { name = 'self_attn', is_attention = true, why = attention },
  { name = 'encoder_attn', is_attention = true, why = attention },
  { name = 'self_attn_layer_norm', is_norm = true, why = norm },
  { name = 'encoder_attn_layer_norm', is_norm = true, why = norm },
  { name = 'final_layer_norm', is_norm = true, why = norm },
  { name = 'ffn_layernorm', is_inside = true,
    why = 'fairseq has a norm of this name between fc1 and fc2' },
  { name = 'norm', is_inside = true, why = 'timm has a norm of this name between fc1 and fc2' },
  { name = 'grn', is_inside = true,
    why = 'ConvNeXt 2 has a norm of this name between fc1 and fc2' },
  { name = 'dwconv', is_inside = true,
    why = 'PVT 2 has a convolution of this name between fc1 and fc2' },
}

---@type Neighbour[]
local torch = {
  { name = 'self_attn', is_attention = true, why = attention },
  { name = 'multihead_attn', is_attention = true, why = attention },
  { name = 'norm1', is_norm = true, why = norm },
  { name = 'norm2', is_norm = true, why = norm },
  { name = 'norm3', is_norm = true, why = norm },
}

--- BERT, RoBERTa, ELECTRA; LayerNorm of ESM, ln of Megatron's; ViT; lambda_1 and _2 of BEiT;
--- fourier of FNet, which has it in place of attention.
---@type Neighbour[]
local bert = {
  { name = 'attention', is_attention = true, why = attention },
  { name = 'crossattention', is_attention = true, why = attention },
  { name = 'fourier', is_attention = true, why = attention },
  { name = 'intermediate.LayerNorm', is_norm = true, why = norm },
  { name = 'output.LayerNorm', is_norm = true, why = norm },
  { name = 'LayerNorm', is_norm = true, why = norm },
  { name = 'ln', is_norm = true, why = norm },
  { name = 'layernorm_before', is_norm = true, why = norm },
  { name = 'layernorm_after', is_norm = true, why = norm },
  { name = 'lambda_1', is_norm = true, why = 'scales what comes out of attention' },
  { name = 'lambda_2', is_norm = true, why = 'scales what comes out' },
}

---@type Neighbour[]
local albert = {
  { name = 'attention', is_attention = true, why = attention },
  { name = 'full_layer_layer_norm', is_norm = true, why = norm },
}

---@type Neighbour[]
local llama = {
  { name = 'ffn_sub_norm', is_inside = true,
    why = 'BitNet has a norm of this name between up and down' },
  { name = 'act_fn', is_inside = true, why = 'numbers of an activation are a layer\'s own '
    .. 'parameters: --weights-map names them' },
}

--- Numbers of a test beside this project's own names.
---@type Neighbour[]
M.beside_own = {
  { name = 'x', why = 'what a test gives the layer' },
  { name = 'y', why = 'what a test expects' },
  { name = 'dy', why = 'what a test of gradients gives' },
  { name = 'd_x', why = 'a gradient that a test expects' },
  { name = 'd_', is_of_own = true, why = 'a gradient that a test expects' },
  { name = 'keep', why = 'a mask of dropout, which is training\'s alone' },
}

--- Tensors that change nothing, wherever they stand: by the last part of their names.
---@type Neighbour[]
M.anywhere = {
  { name = 'num_batches_tracked', why = 'counts steps of training' },
  { name = 'inv_freq', why = 'angles of positions, for attention' },
}

---@type Convention[]
M.conventions = {
  { gate = 'gate', up = 'up', down = 'down', plain = true, of = 'ffn.h' },
  { gate = 'gate_proj', up = 'up_proj', down = 'down_proj', plain = true, beside = llama,
    of = 'Llama, Mistral, Qwen, Gemma; MPT, Nemotron' },
  { gate = 'w1', up = 'w3', down = 'w2', of = 'Llama (Meta\'s files), InternLM 2, Mixtral' },
  { gate = 'w1', up = 'w2', down = 'w3', of = 'EVA-02, xformers' },
  { gate = 'w2', up = 'w1', down = 'c_proj', of = 'Qwen 1' },
  { gate = 'c_fc_0', up = 'c_fc_1', down = 'c_proj', of = 'EXAONE' },
  { gate = 'wi_0', up = 'wi_1', down = 'wo', of = 'T5 1.1' },
  { up = 'fc1', down = 'fc2', beside = bart, of = 'OPT, Phi 1 and 2' },
  { up = 'lin1', down = 'lin2', of = 'DistilBERT' },
  { up = 'linear1', down = 'linear2', beside = torch,
    of = 'torch.nn.TransformerEncoderLayer' },
  { up = 'c_fc', down = 'c_proj', either_way = true, of = 'GPT-2, StarCoder 2' },
  { up = 'dense_h_to_4h', down = 'dense_4h_to_h', of = 'GPT-NeoX, Falcon, BLOOM' },
  { up = 'fc_in', down = 'fc_out', of = 'GPT-J' },
  { up = 'intermediate.dense', down = 'output.dense', beside = bert, of = 'BERT' },
  { up = 'ffn', down = 'ffn_output', beside = albert, of = 'ALBERT' },
  { up = 'wi', down = 'wo', of = 'T5' },
  { up = 'w1', down = 'w2', gated_by = 'w3', of = 'many' },
}

--- What the matrices of several outputs of one x are called, by the names of the outputs: q_proj of
--- Llama, wq of Meta's files, q_lin of DistilBERT, to_q of diffusers.
M.of_outputs = { '%s', '%s_proj', 'w%s', '%s_lin', 'to_%s', 'w_%s' }

--- What stands beside those of attention.
---@type Neighbour[]
M.beside_outputs = {
  { name = 'o_proj', why = 'comes after the layer' },
  { name = 'out_proj', why = 'comes after the layer' },
  { name = 'wo', why = 'comes after the layer' },
  { name = 'out_lin', why = 'comes after the layer' },
  { name = 'to_out', why = 'comes after the layer' },
}

--- What the numbered layers of a chain may be called in front of the number: nothing is
--- torch.nn.Sequential's, whose numbers count activations, too.
M.numbered = { '', 'fc', 'lin', 'linear', 'layer' }

--- Modules that hold [in][out] in GPT-2, as Conv1D does, and [out][in] elsewhere.
local conv1d = { 'c_fc', 'c_proj', 'c_attn', 'q_attn' }

--- Whether a matrix of this name may well be [in][out]: Conv1D's, and a kernel of Keras or JAX.
---@param key string
function M.may_be_in_out(key)
  local module, last = key:match '([^./]*)[./]([^./]*)$'
  return (last or key):find '^kernel%f[^%w_]' ~= nil
    or last == 'weight' and lists.has(conv1d, module)
end

--- What stands beside the matrices of a chain whose names have a number behind a word, as far as
--- they are the two of a convention: fc1 and fc2.
---@param word string
---@return Neighbour[]
function M.beside_numbers(word)
  for _, convention in ipairs(M.conventions) do
    if convention.up == word .. '1' and convention.down == word .. '2' then
      return convention.beside or {}
    end
  end
  return {}
end

--- What stands beside matrices that a map names, as far as they are those of a convention.
---@param of string[]  names behind what they share
---@return Neighbour[]
function M.beside_mapped(of)
  for _, convention in ipairs(M.conventions) do
    if lists.has(of, convention.up .. '.weight')
      and lists.has(of, convention.down .. '.weight') then
      return convention.beside or {}
    end
  end
  return {}
end

--- Whether a convention speaks of a layer of such matrices. A layer without a down projection has
--- the names that say what they are: w1 and w2 would be anything.
local function speaks_of(convention, has)
  if not has.down then return convention.plain == true end
  if has.gate then return convention.gate ~= nil end
  return not convention.gate or convention.plain == true
end

--- Names of a layer whose matrices have roles: those of each convention, and w_up beside b_up.
---@param roles string[] gate, up, down: those that the layer has
---@return table[] { weight = by role, bias = by role, gate = a module or nil, either_way =,
---  beside =, of = who calls them so }
function M.of_roles(roles)
  local has, result = {}, {}
  for _, role in ipairs(roles) do has[role] = true end
  for _, convention in ipairs(M.conventions) do
    if speaks_of(convention, has) then
      local weight, bias = {}, {}
      for _, role in ipairs(roles) do
        weight[role], bias[role] = convention[role] .. '.weight', convention[role] .. '.bias'
      end
      result[#result + 1] = {
        weight = weight, bias = bias, either_way = convention.either_way,
        gate = not has.gate and (convention.gate or convention.gated_by) or nil,
        of = convention.of,
        beside = convention.beside or {},
      }
    end
  end
  local weight, bias = {}, {}
  for _, role in ipairs(roles) do weight[role], bias[role] = 'w_' .. role, 'b_' .. role end
  result[#result + 1] = { weight = weight, bias = bias, beside = M.beside_own }
  return result
end

--- The table as rows of text, for --help and the manual.
---@return string[][] gate, up, down, of
function M.rows()
  return lists.map(M.conventions, function(convention)
    return { convention.gate and convention.gate .. (convention.plain and ' or none' or '') or '',
      convention.up, convention.down, convention.of }
  end)
end

return M
