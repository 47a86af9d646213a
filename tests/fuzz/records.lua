--- Records of measurements that never were: right in form, with random choices.
local record_text = require 'tune.record_text'

local M = { cpu = 'some-cpu' }

local function choices(random)
  return {
    fetch_ahead = random:range(1, 4096), rows_per_walk = random:range(1, 300),
    stream_rows = random:range(1, 64), sum_bytes = random:range(1, 1 << random:range(1, 20)),
  }
end

local function judged(random, name, chosen)
  return { verdict = name, mean = 1.0, choices = chosen, ratios = { 1.0, random:range(1, 9) } }
end

local function kernel(random, name)
  local chosen = choices(random)
  local run = {
    cells = { '1 cold', '16 hot' },
    candidates = { judged(random, 'default', chosen), judged(random, 'loses', choices(random)) },
  }
  return {
    name = name, compiler = 'cc', choices = chosen, sweep = run,
    final = random:chance(50) and run or nil,
  }
end

---@param random Random
---@param names string[] of kernels
---@return string
function M.text(random, names)
  local kernels = {}
  for i, name in ipairs(names) do kernels[i] = kernel(random, name) end
  return record_text.of { cpu = M.cpu, kernels = kernels }
end

return M
