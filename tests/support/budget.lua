--- A budget of time by the clock on the wall, divided among parts of work: what is begun, and what
--- is left out and told. Leaving out is never a failure.
local M = {}

--- What processes at a time share a unit's work.
local cores = 2
--- Units that begin together, so that no core waits for long: so many seconds of a quick machine.
local batch_seconds = 60

---@class Machine
---@field seconds fun(): number  since all began
---@field run fun(words: string, limit: number): string  'ok', 'failed', or 'cut' at the limit
---@field say fun(text: string)
---@field speed number  how slow the machine is: 1 is a quick one

---@class Unit
---@field name string
---@field targets string  what ninja is asked for
---@field cost number  seconds of a quick machine's processors
---@field alone number  of these what one core has to do after the other

---@class Budget
---@field machine Machine
---@field limit number  seconds at which all must have ended
---@field left string[]  what was left out
---@field ran string[]
---@field guessed number
---@field took number
local Budget = {}
Budget.__index = Budget

---@param machine Machine
---@param limit number
---@return Budget
function M.new(machine, limit)
  return setmetatable({ machine = machine, limit = limit, left = {}, ran = {}, guessed = 0,
    took = 0 }, Budget)
end

--- What guesses were wrong by so far: what has been seen for as long as a batch counts as much as
--- having been right for one. Much less than guessed is what was made before, no quicker machine.
function Budget:correction()
  local before = batch_seconds * self.machine.speed
  return math.max(0.5, (self.took + before) / (self.guessed + before))
end

--- Seconds on the wall that units are guessed to take when they begin together.
---@param units Unit[]
function Budget:guess(units)
  local cost, alone = 0, 0
  for _, unit in ipairs(units) do
    cost, alone = cost + unit.cost, math.max(alone, unit.alone)
  end
  return math.max(cost / cores, alone) * self.machine.speed
end

--- Runs a command that may not be left out, whenever it ends.
function Budget:must(words)
  if self.machine.run(words, math.huge) ~= 'ok' then error(words .. ' failed', 0) end
end

--- Runs a command if its guessed seconds of this machine are left until then.
---@return boolean begun
function Budget:try(name, words, seconds, deadline)
  deadline = math.min(deadline, self.limit)
  local now = self.machine.seconds()
  if now + seconds > deadline then
    self.left[#self.left + 1] = name
    return false
  end
  local outcome = self.machine.run(words, self.limit - now)
  if outcome == 'failed' then error(words .. ' failed', 0) end
  if outcome == 'cut' then
    self.left[#self.left + 1] = name .. ' (ended at the limit)'
    return false
  end
  return true
end

--- The units that begin next: the first that fits, and what fits beside it.
---@param waiting Unit[]
---@param seconds number  that are left
---@return Unit[] batch, Unit[] others
function Budget:batch_of(waiting, seconds)
  local batch, others = {}, {}
  for _, unit in ipairs(waiting) do
    batch[#batch + 1] = unit
    local guess = self:guess(batch)
    local is_full = #batch > 1 and guess > batch_seconds * self.machine.speed
    if is_full or guess * self:correction() > seconds then
      others[#others + 1] = table.remove(batch)
    end
  end
  return batch, others
end

--- Makes units until the deadline, in their order, but for those that take longer than is left.
---@param units Unit[]
---@param deadline number
---@return Unit[] left
function Budget:make(units, deadline)
  deadline = math.min(deadline, self.limit)
  while #units > 0 do
    local now = self.machine.seconds()
    local batch, others = self:batch_of(units, deadline - now)
    if #batch == 0 then return units end
    local targets = {}
    for i, unit in ipairs(batch) do targets[i] = unit.targets end
    local words = 'ninja ' .. table.concat(targets, ' ')
    local outcome = self.machine.run(words, self.limit - now)
    if outcome == 'failed' then error(words .. ' failed', 0) end
    if outcome == 'cut' then
      table.move(others, 1, #others, #batch + 1, batch)
      return batch
    end
    self.took = self.took + self.machine.seconds() - now
    self.guessed = self.guessed + self:guess(batch)
    for _, target in ipairs(targets) do self.ran[#self.ran + 1] = target end
    units = others
  end
  return {}
end

--- Those left out, by name.
---@param units Unit[]
function Budget:leave(units)
  for _, unit in ipairs(units) do self.left[#self.left + 1] = unit.name end
end

return M
