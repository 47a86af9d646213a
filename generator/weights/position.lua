--- Weights decoded by their position in a lane: bits are cut out where they stand, by one AND, and
--- become q 2^p as a float, which is multiplied with scale 2^-p. Both are exact, of scales from
--- 2^-100 up, and so is the product of few bits: the value is rounded once, where the offset is
--- added. No shift, but for what would be negative as an integer, or would want many scales.
local M = {}

--- Where fields of so many bits may stand: those of the upper half of a lane are shifted down by 16
--- as one, or the last one alone.
local places = {
  [4] = { 4, 8, 12 }, [6] = { 8, 16, 24 }, [8] = { 8, 16 },
}

--- What value() reads: the scale for each place, and what is added.
---@param v Builder
---@param bits integer   4, 6 or 8
---@param scale Node
---@param offset Node    what a q of 0 means
---@return State
function M.ready(v, bits, scale, offset)
  local state = { scale = scale, offset = offset }
  for _, place in ipairs(places[bits]) do
    state['scale_' .. place] = v.mul(scale, v.const(2.0 ^ -place))
  end
  return state
end

--- The same of what a group holds, where a q of so much means 0, or where the group has a minimum.
---@param bits integer
---@param zero integer|nil
---@return fun(v: Builder, state: State): State
function M.ready_from(bits, zero)
  return function(v, state)
    local offset = zero and v.mul(state.scale, v.const(-zero)) or state.least
    return M.ready(v, bits, state.scale, offset)
  end
end

--- Vectors that this holds.
function M.registers(bits) return 2 + #places[bits] end

--- The field of so many bits from bit `at` of a lane on, times 2^p, and p.
---@return Node
---@return integer
local function cut(v, bits, lane, at)
  if bits == 8 and at == 24 then return v.let('q', v.shr(lane, 24)), 0 end
  if bits == 4 and at >= 16 then lane, at = v.shr(lane, 16), at - 16 end
  return v.let('q', v.iand(lane, v.mask(((1 << bits) - 1) << at))), at
end

--- scale * q + offset, of the field of so many bits from bit `at` of a lane on.
---@param v Builder
---@param bits integer
---@param lane Node
---@param at integer
---@param state State
---@return Node
function M.value(v, bits, lane, at, state)
  lane, at = cut(v, bits, lane, at)
  return v.fma(v.from_int(lane), at == 0 and state.scale or state['scale_' .. at], state.offset)
end

--- A scale of f32 or bf16 as it is, but NaN where 128 of it are not finite: sums of what they are
--- taken apart in would overflow where the weight does not.
---@param v Builder
---@param scale Node
---@return Node
function M.in_range(v, scale)
  local size = v.fma(scale, v.const(128), v.const(0))
  return v.let('scale', v.add(scale, v.sub(size, size)))
end

--- What value_zero() reads of a group whose scale is an f32, with a zero: scale * (q - zero) is
--- rounded once, for the difference is one of integers. The scale is in_range().
---@param bits integer
---@return fun(v: Builder, state: State): State
function M.ready_zero(bits)
  return function(v, group)
    local state = { scale = group.scale, zero = group.zero }
    for _, place in ipairs(places[bits]) do
      state['scale_' .. place] = v.mul(group.scale, v.const(2.0 ^ -place))
      state['zero_' .. place] = v.shl(group.zero, place)
    end
    return state
  end
end

--- Vectors that this holds.
function M.registers_zero(bits) return 2 + 2 * #places[bits] end

--- scale * (q - zero); of 0 it has no sign.
function M.value_zero(v, bits, lane, at, state)
  lane, at = cut(v, bits, lane, at)
  local by = at == 0 and '' or '_' .. at
  return v.fma(v.from_int(v.isub(lane, state['zero' .. by])), state['scale' .. by], v.const(0))
end

return M
