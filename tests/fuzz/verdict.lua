--- What a run of ffngen may end in: success; a mistake of the user's, said in a few lines with its
--- place; never anything else.
local M = {}

local most_bytes = 1500

--- What no message holds.
local foul = {
  'internal error', 'stack traceback', 'not enough memory', 'generator/', 'table: 0x',
  'function: 0x',
}

--- The first line's place, that of a file with or without a line, or an option's.
local function has_place(line, place)
  for _, start in ipairs { place, '%-%-%l[%l-]*', 'no kernel is left', '"' } do
    if line:find('^ffngen: ' .. start) then return true end
  end
  return false
end

--- The problem with an outcome, or nil.
---@param result Outcome
---@param file string whose place a message has
---@param wrote boolean something lies where only success would put it
---@return string|nil
function M.of(result, file, wrote)
  local err = result.err
  if result.code == 0 then return nil end
  local function said(what) return ('%s: exit %d\n%s'):format(what, result.code, err) end
  if result.code ~= 4 then return said 'neither success nor bad input' end
  if wrote then return said 'files are there after an error' end
  if #err > most_bytes then return said 'a message without end' end
  for _, word in ipairs(foul) do
    if err:find(word, 1, true) then return said(('"%s" in the message'):format(word)) end
  end
  if not utf8.len(err) or err:find('[^%C\n]') then return said 'bytes unfit for a terminal' end
  local place = file:gsub('%W', '%%%0')
  if not has_place(err:match('^[^\n]*'), place) then return said 'no place in the message' end
  if not err:find('\nffngen: nothing was written\n$') then
    return said 'it does not say that nothing was written'
  end
  if result.out ~= '' then return said 'output before an error: ' .. result.out:sub(1, 200) end
  return nil
end

return M
