--- One matrix; or several outputs of one x, each a matrix of its own.
local lists = require 'common.list'
local naming = require 'kind.naming'

local sizes = naming.sizes { 'd_model', 'd_out' }

--- The outputs of a text, d_out of them together, and what they take: d512_to_k128_q512, say.
local function outputs_of(text)
  local d_model, rest = text:match '^d(%d+)_to_(.+)$'
  local l = { d_model = naming.size(d_model), d_out = 0, outputs = {} }
  if not l.d_model then return {} end
  for part in (rest .. '_'):gmatch '([^_]*)_' do
    local name, digits = part:match '^(%l[%l%d]-)(%d+)$'
    local width = naming.size(digits)
    if not width or not name:match '%l$' then return {} end
    l.outputs[#l.outputs + 1], l.d_out = { name = name, width = width }, l.d_out + width
  end
  return { l }
end

return {
  name = 'linear',
  computes = 'y = x W^T.',
  fields = { 'd_model', 'd_out' },
  meanings = {
    d_out = 'Of linear it may name several outputs of one x, `d_out = { q = 512, k = 128 }`, in '
      .. 'the order of their names; or a list `{ { q = 512 }, { k = 128 } }` in its own.',
  },
  named_by = 'd_out',

  shape = function(check, s)
    s.outputs = check:outputs(s.d_model)
    if not s.outputs then
      s.d_out = check:get_size('d_out', s.d_model)
      return
    end
    s.d_out = 0
    for _, output in ipairs(s.outputs) do s.d_out = s.d_out + output.width end
  end,

  stages = function(l)
    if not l.outputs then
      return { { name = 'linear', outputs = l.d_out, called = 'd_out', matrices = { 'chain' } } }
    end
    return lists.map(l.outputs, function(output)
      return {
        name = 'to_' .. output.name, output = output.name, outputs = output.width,
        matrices = { 'chain' },
      }
    end)
  end,

  front = naming.none,
  back = {
    say = function(l, words)
      if not l.outputs then return sizes.say(l, words) end
      return lists.append({ ('d%d'):format(l.d_model), 'to' }, lists.map(l.outputs, function(output)
        return ('%s%d'):format(output.name, output.width)
      end))
    end,
    read = function(text, words)
      return lists.append(sizes.read(text, words), outputs_of(text))
    end,
  },
  english = function(l)
    local to = l.outputs and table.concat(lists.map(l.outputs, function(output)
      return ('%s %d'):format(output.name, output.width)
    end), ', ') or ('%d'):format(l.d_out)
    return ('linear, %d -> %s'):format(l.d_model, to)
  end,
}
