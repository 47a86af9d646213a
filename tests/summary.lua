--- The last line of `ninja test`: what the logs of all tests add up to. A test that was skipped
--- because this machine lacks something is counted, not hidden.
local passed, failed, skipped = 0, 0, 0

for _, ok in ipairs(arg) do
  local p, f, s = 0, 0, 0
  local handle = assert(io.open(ok .. '.log'))
  for line in handle:lines() do
    local tested, good, bad, crashed = line:match(
      'Synthesis: Tested: .-(%d+).- | Passing: .-(%d+).- | Failing: .-(%d+).- | Crashing: .-(%d+)')
    local checked, wrong, without = line:match('(%d+) passed, (%d+) failed, (%d+) skipped$')
    if tested then
      p, f = p + tonumber(good), f + tonumber(bad) + tonumber(crashed)
    elseif checked then
      p, f, s = p + tonumber(checked), f + tonumber(wrong), s + tonumber(without)
    elseif line:find('skipped$') or line:find('^%[.*SKIP.*%] ') then
      s = s + 1
    end
  end
  handle:close()
  if p + f + s == 0 then p = 1 end -- a script that says nothing of numbers
  print(('%-36s %5d passed, %d failed, %d skipped'):format(ok:gsub('%.ok$', ''), p, f, s))
  passed, failed, skipped = passed + p, failed + f, skipped + s
end

print(('%d passed, %d failed, %d skipped'):format(passed, failed, skipped))
os.exit(failed == 0 and passed > 0)
