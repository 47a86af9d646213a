--- Chains with a node at every place, and at every two: steps that round, and others that a writer
--- of graphs puts between products, their biases and what follows. What is imported gives what a
--- plain evaluation of the graph gives, at a value of which all that takes it is told by name; or
--- the graph is refused by the name of a node. No bias is left out because a step rounds in front
--- of it.
local unit = require 'luaunit'
local onnx_chains = require 'onnx_chains'
local support = require 'support'

TestOnnxRounded = {}

local chains, kinds, places_of = onnx_chains.chains, onnx_chains.kinds, onnx_chains.places

--- Holds a chain with kinds at places against its graph.
local function check(chain, at, options, what)
  local problem, outcome = onnx_chains.check(chain, at, options, support.folder() .. '/m.onnx')
  if problem then unit.fail(what .. ': ' .. problem) end
  return outcome
end

local both = { {}, { float_activations = true } }

--- One kind at each place of each chain; of the quick form, those that round and one of the others.
function TestOnnxRounded.test_places()
  local counts, turn = { taken = 0, refused = 0 }, 0
  for _, chain in ipairs(chains) do
    for _, place in ipairs(places_of(chain)) do
      turn = turn + 1
      for i, kind in ipairs(kinds) do
        local is_asked = support.full or i == turn % 2 + 1 or (i + turn) % 5 == 0
        for _, options in ipairs(is_asked and both or {}) do
          local what = ('%s, %s behind %s, %s'):format(chain.name, kind.name, place,
            options.float_activations and 'left out' or 'as it is')
          local result = check(chain, { [place] = kind }, options, what)
          counts[result] = counts[result] + 1
        end
      end
    end
  end
  unit.assertTrue(counts.taken > 60 and counts.refused > 10,
    ('%d taken, %d refused'):format(counts.taken, counts.refused))
end

--- Two kinds at every two places, one of which rounds or cuts; in the quick form both round, in the
--- smaller chains.
function TestOnnxRounded.test_pairs()
  local turn = 0
  local function hold(chain, p, q, kind, other)
    turn = turn + 1
    local options = both[turn % 2 + 1]
    local what = ('%s, %s behind %s and %s behind %s, %s'):format(chain.name, kind.name, p,
      other.name, q, options.float_activations and 'left out' or 'as it is')
    check(chain, { [p] = kind, [q] = other }, options, what)
  end
  for c, chain in ipairs(chains) do
    local places = places_of(chain)
    for i = 1, (support.full or c < 3) and #places or 0 do
      for j = i + 1, #places do
        for k = 1, support.full and 3 or 1 do
          for l = 1, support.full and #kinds or 1 do
            -- A third of the larger ones.
            if not support.full or c < 3 or (i + j + k + l) % 3 == 0 then
              hold(chain, places[i], places[j], kinds[k], kinds[l])
              hold(chain, places[i], places[j], kinds[l], kinds[k])
            end
          end
        end
      end
    end
  end
end
