--- Graphs of ONNX: a chain with nodes at up to five of its places.
local onnx_chains = require 'onnx_chains'

local M = {}

---@param random Random
function M.make(random)
  local index, changes = random:range(1, #onnx_chains.chains), {}
  local places = onnx_chains.places(onnx_chains.chains[index])
  for i = 1, random:range(1, 5) do
    changes[i] = { place = random:pick(places), kind = random:range(1, #onnx_chains.kinds) }
  end
  return { chain = index, changes = changes, float = random:chance(50) }
end

function M.show(case)
  local lines = { onnx_chains.chains[case.chain].name }
  for i, change in ipairs(case.changes) do
    lines[i + 1] = ('%s behind %s'):format(onnx_chains.kinds[change.kind].name, change.place)
  end
  lines[#lines + 1] = case.float and 'as --float-activations asks' or 'as it is'
  return table.concat(lines, '\n')
end

--- Of several at a place the last one counts.
---@param folder string is empty
---@return string|nil problem
---@return string outcome
function M.check(case, folder)
  local at = {}
  for _, change in ipairs(case.changes) do at[change.place] = onnx_chains.kinds[change.kind] end
  return onnx_chains.check(onnx_chains.chains[case.chain], at, { float_activations = case.float },
    folder .. '/m.onnx')
end

return M
