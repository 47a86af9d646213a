--- A graph of nodes in text ('Op in in -> out') computed plainly, number by number, for one row of
--- x: what import finds in it is held against that. Steps that round do so, or are left out.
local M = {}

--- What a node is, in parts.
---@param text string
function M.parsed(text)
  local op, ins, out = text:match '^(%S+)(.-)%->%s*(%S+)$'
  local list = {}
  for word in ins:gmatch '%S+' do list[#list + 1] = word end
  return { op = op, ins = list, out = out }
end

function M.text(n) return ('%s %s -> %s'):format(n.op, table.concat(n.ins, ' '), n.out) end

local function map(f, a, b)
  local y = {}
  for i, v in ipairs(a) do y[i] = f(v, type(b) == 'table' and b[i] or b) end
  return y
end

local function product(x, matrix, outputs)
  local y = {}
  for o = 1, outputs do
    y[o] = 0.0
    for i, v in ipairs(x) do y[o] = y[o] + v * matrix[(i - 1) * outputs + o] end
  end
  return y
end

local function same(x) return x end

local ops = {
  Relu = function(x) return x > 0 and x or 0.0 end,
  Sigmoid = function(x) return 1 / (1 + math.exp(-x)) end,
  Tanh = function(x) return 1 - 2 / (math.exp(2 * x) + 1) end,
  Add = function(a, b) return a + b end, Mul = function(a, b) return a * b end,
  Neg = function(x) return -x end, Abs = math.abs,
  Identity = same, Dropout = same, Cast = same, Transpose = same, Reshape = same,
  DequantizeLinear = same,
}

--- Values by name: lists of numbers, and matrices { outputs = n, ... } among the constants. A
--- QuantizeLinear rounds to quarters, or cuts at 0 where its zero is named `none`; a Half rounds to
--- sixteenths, as a Cast to few bits may.
---@param nodes table[]  parsed
---@param constants table
---@param x number[]
---@param rounds boolean  else what rounds is left out, but for its cut
function M.of(nodes, constants, x, rounds)
  local env = { x = x }
  local function of(name) return env[name] or constants[name] end
  for _, n in ipairs(nodes) do
    local a, b = of(n.ins[1]), of(n.ins[2])
    if n.op == 'MatMul' then
      env[n.out] = product(a, b, b.outputs)
    elseif n.op == 'QuantizeLinear' or n.op == 'Half' then
      local steps = n.op == 'Half' and 16 or 4
      env[n.out] = map(function(v)
        if n.ins[3] == 'none' then v = math.max(v, 0.0) end
        return rounds and math.floor(v * steps + 0.5) / steps or v
      end, a)
    else
      local f = ops[n.op]
      if type(b) == 'table' and #a ~= #b then error(M.text(n)) end
      env[n.out] = map(f, a, n.op ~= 'DequantizeLinear' and n.op ~= 'Reshape' and b or nil)
    end
  end
  return env
end

return M
