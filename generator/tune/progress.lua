--- A line on stderr that tells how far a long run is and how long it still takes: redrawn in place
--- on a terminal, else a line for each step.
local M = {}

local width = 24

--- The bar as text.
---@param done number from 0 to 1
---@param seconds_left integer
---@param step string what goes on
function M.text(done, seconds_left, step)
  local full = math.floor(width * math.max(0, math.min(1, done)))
  return ('[%s%s] %d:%02d left  %s'):format(('#'):rep(full), ('.'):rep(width - full),
    seconds_left // 60, seconds_left % 60, step)
end

--- A bar for a run that takes `budget` seconds.
---@param terminal boolean
---@param now fun(): integer
---@param budget integer
function M.new(terminal, now, budget)
  local begin, step_shown = now(), nil
  local bar = {}

  --- Shows what goes on.
  ---@param step string
  function bar.show(step)
    local spent = now() - begin
    local left = math.max(0, budget - spent)
    local text = M.text(spent / math.max(1, spent + left), left, step)
    if terminal then
      io.stderr:write('\r', text, '\27[K')
    elseif step ~= step_shown then
      io.stderr:write(text, '\n')
    end
    step_shown = step
  end

  --- Leaves the line to others.
  function bar.clear()
    if terminal and step_shown then io.stderr:write('\r\27[K') end
    step_shown = nil
  end

  --- The run now takes so many seconds from here on.
  function bar.expect(seconds) budget = math.max(1, now() - begin + seconds) end

  return bar
end

return M
