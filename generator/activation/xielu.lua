--- A parabola above 0 and an exponential below. What is learned are two numbers whose softplus are
--- the curvatures.
local word = require 'activation.graph.words'

local function softplus(p) return word.select(word.lt(20, p), p, word.log1p(word.exp(p))) end

--- torch.min of two tensors: where they are equal, each has half of the derivative.
local function least_of_tensors(a, b) return 0.5 * (word.min(a, b) + word.min(b, a)) end

---@param least fun(a: any, b: any): any
local function xielu(least)
  return function(x, p)
    local a, b = softplus(p.alpha_p), 0.5 + softplus(p.alpha_n)
    local below = (word.exp(least(x, -1e-6)) - 1 - x) * b
    return word.select(word.lt(0, x), a * x * x, below) + 0.5 * x
  end
end

return {
  about = 'x > 0 ? a x^2 + x / 2 : b (e^x - 1 - x) + x / 2, a = softplus(alpha_p), '
    .. 'b = 0.5 + softplus(alpha_n)',
  source = 'Huang & Schlag, Deriving Activation Functions Using Integration, arXiv:2411.13010',
  traced = xielu(word.min), differentiated = xielu(least_of_tensors),
}
