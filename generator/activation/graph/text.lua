--- A graph as the line of a spec that would be traced to it.
local nodes = require 'activation.graph.node'
local numbers = require 'common.number'

local M = {}

--- How tightly operators bind.
local sums, products, minus, powers, whole = 1, 2, 3, 4, 5

--- A number that reads back as the same f32.
local function literal(x)
  local is_whole = math.tointeger(x) and math.abs(x) < 1e6
  if is_whole and not numbers.is_minus_zero(x) then return ('%.0f'):format(x) end
  return numbers.to_f32(x) == x and numbers.shortest(x) or numbers.shown(x)
end

local function wrapped(part, least)
  return part.binds < least and '(' .. part.text .. ')' or part.text
end

local signs = { add = '+', sub = '-', mul = '*', div = '/' }

--- The text of a node, given those of its operands.
local function told(n, o)
  if n.op == 'constant' then
    return { text = literal(n.value), binds = (n.value < 0 or 1 / n.value < 0) and minus or whole }
  elseif #n == 0 then
    return { text = n.op == 'parameter' and 'p.' .. n.name or n.name, binds = whole }
  elseif signs[n.op] then
    local binds = (n.op == 'add' or n.op == 'sub') and sums or products
    local sign, other = signs[n.op], wrapped(o[2], binds + 1)
    -- What is added below 0 is taken away.
    if n.op == 'add' and n[2].op == 'constant' and n[2].value < 0 then
      sign, other = '-', literal(-n[2].value)
    elseif n.op == 'sub' and n[2].op == 'constant' and n[2].value == 0 then
      -- Lua adds the integer 0 in place of taking it away, which makes 0 of -0.
      other = numbers.is_minus_zero(n[2].value) and '-0.0' or '0.0'
    end
    return { text = ('%s %s %s'):format(wrapped(o[1], binds), sign, other), binds = binds }
  elseif n.op == 'neg' then
    return { text = '-' .. wrapped(o[1], powers), binds = minus }
  elseif n.op == 'power' then
    return { text = ('%s ^ %d'):format(wrapped(o[1], whole), n.exponent), binds = powers }
  elseif n.op == 'select' then
    return { binds = whole, text = ('select(lt(%s, %s), %s, %s)'):format(o[1].text, o[2].text,
      o[3].text, o[4].text) }
  end
  local texts = {}
  for i, part in ipairs(o) do texts[i] = part.text end
  return { text = ('%s(%s)'):format(n.op, table.concat(texts, ', ')), binds = whole }
end

--- How often each node of a result is an operand.
local function counts(result)
  local count = {}
  for _, n in ipairs(nodes.needed { result }) do
    for _, operand in ipairs(n) do count[operand] = (count[operand] or 0) + 1 end
  end
  return count
end

local most_line = 72

--- The function, on a line or, where parts are used twice or are long, on several.
---@param result GraphNode  as traced
---@param both boolean      it is one of gate and up
---@return string
function M.of(result, both)
  local count, lines = counts(result), {}
  local whole_text = nodes.fold(result, function(n, operands)
    local part = told(n, operands)
    local is_part = #n > 0 and n ~= result
      and ((count[n] or 0) > 1 and #part.text > 8 or #part.text > most_line)
    if not is_part then return part end
    lines[#lines + 1] = ('  local t%d = %s\n'):format(#lines + 1, part.text)
    return { text = ('t%d'):format(#lines), binds = whole }
  end).text
  local head = both and 'function(gate, up)' or 'function(x)'
  -- A branch is x in the graph.
  local function named(text) return both and text:gsub('%f[%w_]x%f[^%w_]', 'gate') or text end
  if #lines == 0 and #whole_text <= most_line then
    return ('%s return %s end'):format(head, named(whole_text))
  end
  return ('%s\n%s  return %s\nend'):format(head, named(table.concat(lines)), named(whole_text))
end

return M
