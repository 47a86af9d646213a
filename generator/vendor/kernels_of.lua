--- Which kernels of a vendored folder the call of a layer may give: spec, name of its layer, plans
--- of the folder -> plans. On each instruction set the one for the fewest tokens that hold the
--- spec's, as ffn_find_limited() has it; its macros hold for all of them.
local lists = require 'common.list'
local problems = require 'common.problem'

--- Whether a limit of tokens is below another; 0 is none.
local function is_below(a, b) return a ~= 0 and (b == 0 or a < b) end

---@param s Spec
---@param layer_name string
---@param plans Plan[]
---@return Plan[]
return function(s, layer_name, plans)
  local best, isas = {}, {}
  local fit = lists.filter(plans, function(p)
    return p.layer.name == layer_name and not is_below(p.layer.max_tokens, s.max_tokens or 0)
  end)
  for _, p in ipairs(fit) do
    local isa = p.isa.name
    if not best[isa] then isas[#isas + 1] = isa end
    if not best[isa] or is_below(p.layer.max_tokens, best[isa].layer.max_tokens) then
      best[isa] = p
    end
  end
  for _, p in ipairs(fit) do
    local taken = best[p.isa.name]
    if p ~= taken and p.layer.max_tokens == taken.layer.max_tokens then
      problems.bad_input(nil, '"%s" and "%s" differ in nothing but optimise: leave one out, or '
        .. 'vendor each into a folder of its own (--layer NAME --prefix NAME)',
        taken.layer.spec_name, p.layer.spec_name)
    end
  end
  return lists.map(isas, function(isa) return best[isa] end)
end
