--- Tests for several processes, so that these take about the same time.

--- Deals names there and back, like 1 2 3 3 2 1 1 2 3: who has the longest of a round has the
--- shortest of the next one.
---@param names string[]  the longest first, as far as that is known; of one twice the first counts
---@param parts integer
---@return table<string, integer> part_of  from 1 on
return function(names, parts)
  local part_of, dealt = {}, 0
  for _, name in ipairs(names) do
    if not part_of[name] then
      local place = dealt % parts
      part_of[name] = dealt // parts % 2 == 0 and place + 1 or parts - place
      dealt = dealt + 1
    end
  end
  return part_of
end
