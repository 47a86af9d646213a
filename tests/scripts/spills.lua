--- Do the register tiles of the plans fit the registers of the object code? Disassembles kernels
--- and counts vector registers saved to or reloaded from the stack in the functions that hold the
--- hot loops (*_sums_*, *_abreast_*, *_nonzero_*): there must be none. Portable C has no registers
--- to plan, and what groups of compressed weights hold may be an operand in memory.
---
--- And does a call begin in few instructions? run_forward() and straight_rows(), which all calls go
--- through, hold no vectors: they do not align the stack, and the latter, for a lone row, saves no
--- register.
---
---   lua5.4 tests/scripts/spills.lua ARCHIVE...
local failed, functions, calls, slow = 0, 0, 0, 0

for _, archive in ipairs(arg) do
  local pipe = assert(io.popen(('objdump -d --no-show-raw-insn "%s"'):format(archive)))
  local object, name, spills, entered
  local function finish()
    if not name then return end
    functions = functions + 1
    if spills > 0 then
      failed = failed + 1
      print(('%s: %s spills vector registers %d times'):format(object, name, spills))
    end
  end
  for line in pipe:lines() do
    local member, label = line:match('^(%S+)%.o: +file format'), line:match('^%x+ <([^>]+)>:')
    if member or label then
      finish()
      object = member or object
      name = label and not object:match('_c$') and object:match('_f32_%l[%l%d]*$')
        and (label:match('_sums_%d+') or label:match('_abreast_%d+') or label:match('_nonzero_%d+'))
        and label
      spills = 0
      entered = label and (label:match('run_forward$') or label:match('straight_rows$'))
      calls = calls + (entered and 1 or 0)
    elseif entered and (line:find('and +%$0xf%x+,%%rsp')
        or entered == 'straight_rows' and line:find('push ')) then
      slow = slow + 1
      print(('%s: %s: %s'):format(object, entered, line))
    elseif name and line:find('%%[xyz]mm') and line:find('%(%%rsp') then
      spills = spills + 1
    end
  end
  finish()
  assert(pipe:close(), 'objdump failed on ' .. archive)
end

print(('%d functions with hot loops, %d with spills'):format(functions, failed))
print(('%d functions that begin a call, %d instructions that these should not have'):format(calls,
  slow))
os.exit(failed + slow == 0 and functions > 0 and calls > 0)
