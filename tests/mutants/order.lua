--- Which defects a run tries, in which order. Of those that the change touched and of all of them
--- one after the other: what a change may have spoilt is tried first, and all the same each run
--- brings the wheel on (support/turn.lua).
local M = {}

---@param defect table
---@param ages table<string, integer>  how many commits ago files were touched
---@return integer|nil age  of what the defect is put into, or of its test
local function age_of(defect, ages)
  local test = defect.test and defect.test:match('^%S+')
  local age = ages[defect.file]
  if test and ages[test] then age = math.min(age or math.huge, ages[test]) end
  return age
end

--- All defects in the order of a run that has less time than they take.
---@param defects table[]
---@param wheel integer[]  numbers of defects, as turn.wheel() has them
---@param ages table<string, integer>
---@return table[] order
function M.of(defects, wheel, ages)
  local touched = {}
  for place, i in ipairs(wheel) do
    local age = age_of(defects[i], ages)
    if age then touched[#touched + 1] = { i = i, age = age, place = place } end
  end
  table.sort(touched, function(a, b)
    if a.age ~= b.age then return a.age < b.age end
    return a.place < b.place
  end)
  local order, seen = {}, {}
  local function add(i)
    if i and not seen[i] then
      seen[i] = true
      order[#order + 1] = defects[i]
    end
  end
  for place, i in ipairs(wheel) do
    if touched[place] then add(touched[place].i) end
    add(i)
  end
  return order
end

--- How many of the wheel were tried before the first that was not.
---@param is_tried table<table, boolean>
function M.of_wheel(defects, wheel, is_tried)
  for place, i in ipairs(wheel) do
    if not is_tried[defects[i]] then return place - 1 end
  end
  return #wheel
end

--- The share I/N of the defects: neighbours, which have their tests in common.
function M.share(defects, text)
  local i, n = text:match('^(%d+)/(%d+)$')
  i, n = math.tointeger(tonumber(i)), math.tointeger(tonumber(n))
  if not i or i < 1 or i > n then
    error(('MUTANTS is all or a share such as 3/8, not %s'):format(text), 0)
  end
  return table.move(defects, #defects * (i - 1) // n + 1, #defects * i // n, 1, {})
end

return M
