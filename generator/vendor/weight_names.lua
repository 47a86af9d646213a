--- What files call the matrices of a layer: the table that finds them, and that --help and the
--- manual print. A file may have any prefix in front of a name: `model.layers.0.mlp.`.
local list = require 'common.list'

local M = {}

--- Names of modules, as torch.nn.Linear's: the matrix is NAME.weight, its bias NAME.bias.
---@class Convention
---@field gate string|nil
---@field up string
---@field down string
---@field plain boolean|nil     a layer without a gate uses these names of up and down, too
---@field gated_by string|nil   of layers without a gate: a name that only one with a gate has
---@field either_way boolean|nil  some files hold [in][out], as GPT-2's Conv1D does
---@field of string             who calls them so

---@type Convention[]
M.conventions = {
  { gate = 'gate', up = 'up', down = 'down', plain = true, of = 'ffn.h' },
  { gate = 'gate_proj', up = 'up_proj', down = 'down_proj', plain = true,
    of = 'Llama, Mistral, Qwen, Gemma; MPT, Nemotron' },
  { gate = 'w1', up = 'w3', down = 'w2', of = 'Llama (Meta\'s files), InternLM 2, Mixtral' },
  { gate = 'w2', up = 'w1', down = 'c_proj', of = 'Qwen 1' },
  { gate = 'c_fc_0', up = 'c_fc_1', down = 'c_proj', of = 'EXAONE' },
  { gate = 'wi_0', up = 'wi_1', down = 'wo', of = 'T5 1.1' },
  { up = 'fc1', down = 'fc2', of = 'OPT, Phi 1 and 2' },
  { up = 'lin1', down = 'lin2', of = 'DistilBERT' },
  { up = 'linear1', down = 'linear2', of = 'torch.nn.TransformerEncoderLayer' },
  { up = 'c_fc', down = 'c_proj', either_way = true, of = 'GPT-2, StarCoder 2' },
  { up = 'dense_h_to_4h', down = 'dense_4h_to_h', of = 'GPT-NeoX, Falcon, BLOOM' },
  { up = 'fc_in', down = 'fc_out', of = 'GPT-J' },
  { up = 'intermediate.dense', down = 'output.dense', of = 'BERT' },
  { up = 'wi', down = 'wo', of = 'T5' },
  { up = 'w1', down = 'w2', gated_by = 'w3', of = 'many' },
}

--- What the numbered layers of a chain may be called in front of the number: nothing is
--- torch.nn.Sequential's, whose numbers count activations, too.
M.numbered = { '', 'fc', 'lin', 'linear', 'layer' }

--- Whether a convention speaks of a layer of such matrices. A layer without a down projection has
--- the names that say what they are: w1 and w2 would be anything.
local function speaks_of(convention, has)
  if not has.down then return convention.plain == true end
  if has.gate then return convention.gate ~= nil end
  return not convention.gate or convention.plain == true
end

--- Names of a layer whose matrices have roles: those of each convention, and w_up beside b_up.
---@param roles string[] gate, up, down: those that the layer has
---@return table[] { weight = by role, bias = by role, unused = a module or nil, either_way = }
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
        unused = not has.gate and (convention.gate or convention.gated_by) or nil,
      }
    end
  end
  local weight, bias = {}, {}
  for _, role in ipairs(roles) do weight[role], bias[role] = 'w_' .. role, 'b_' .. role end
  result[#result + 1] = { weight = weight, bias = bias }
  return result
end

--- The table as rows of text, for --help and the manual.
---@return string[][] gate, up, down, of
function M.rows()
  return list.map(M.conventions, function(convention)
    return { convention.gate and convention.gate .. (convention.plain and ' or none' or '') or '',
      convention.up, convention.down, convention.of }
  end)
end

return M
