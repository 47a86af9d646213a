--- x times w into an f32 accumulator, one rounding for each k.

--- Pairwise additions that fold so many chains into one.
local function folds(chains)
  local count = 0
  while chains > 1 do chains, count = chains // 2, count + 1 end
  return count
end

return {
  name = 'fma_f32',
  about = 'fused multiply-adds of f32',
  k = 1,
  takes = 'value',
  operand = 'f32',
  accumulators = { { name = 'sum', type = 'f32', file = 'vector', rows = 1, scope = 'block' } },
  trains = true,
  bound = 'roundings',
  roundings = function(sum)
    return (sum.block + sum.chains - 1) // sum.chains + folds(sum.chains) + sum.blocks - 1
  end,
  begin_block = function(v) return v.zero() end,
  step = function(v, a, weight)
    a.set('sum', v.fma(a.operand 'value', weight, a.get 'sum'))
  end,
  end_block = function(v, before, sum) return v.add(before, sum) end,
}
