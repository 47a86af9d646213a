--- What gated kinds have in common.
local M = {}

--- A stage of two branches: act(gate) times up, or a function of both.
---@param called string  the field that says how wide it is
function M.stage(l, called)
  return {
    name = 'gate_up', outputs = l[called], called = called, matrices = { 'gate', 'up' },
    applied = l.variant, parameters = l.parameters,
  }
end

return M
