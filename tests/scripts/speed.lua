--- How slow this machine is: a fixed piece of work, of Lua and of a compiler, done by two processes
--- at once, as tests are; threads that share a core are slower so. Prints the time that it takes as
--- a multiple of that of two quiet cores of Zen 4: 2.7 for two threads of a core of Cascade Lake.
---
---   lua5.4 tests/scripts/speed.lua FOLDER
---
--- The work is no part of the project, so what changes there does not change the measure.
local folder, worker = arg[1], arg[2]

--- What the work takes on two quiet cores of Zen 4.
local seconds_of_zen4 = 3.6

--- Texts and tables, as a generator has them.
local function lua_work()
  local words, sum = {}, 0
  for round = 1, 18 do
    for i = 1, 60000 do
      local word = ('%d_%x'):format(i * round % 7919, i)
      words[i] = word:gsub('%d', function(digit) return digit .. 'x' end)
    end
    table.sort(words)
    for _, word in ipairs(words) do sum = (sum * 31 + #word + word:byte(-1)) % 1000003 end
  end
  return sum
end

--- A file of loops, as kernels are.
local function c_work()
  local lines = { 'void *memcpy(void *, const void *, unsigned long);' }
  for i = 1, 220 do
    lines[#lines + 1] = ([[
float f%d(const float *restrict x, float *restrict y, int n) {
  float s[8] = {0}, t = %d.0f;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 8; j++) {
      float v = x[i * %d + j] * y[j] + s[j];
      s[j] = v > t ? v - t : v * %d.5f;
    }
    memcpy(y + i, s, sizeof s);
  }
  for (int j = 0; j < 8; j++) t += s[j] / (1.0f + y[j] * y[j]);
  return t;
}]]):format(i, i, i % 13 + 8, i % 7)
  end
  return table.concat(lines, '\n')
end

local write = dofile('tests/support/write.lua')

local function sh(command, ...)
  return assert(os.execute(command:format(...)), command)
end

if worker then
  local name = ('%s/speed_%s'):format(folder, worker)
  write(name .. '.txt', lua_work())
  write(name .. '.c', c_work())
  sh('gcc -O2 -c %s.c -o %s.o', name, name)
  os.exit(true)
end

local function seconds()
  local pipe = assert(io.popen('date +%s.%N'))
  local now = pipe:read('n')
  pipe:close()
  return now
end

sh("mkdir -p '%s'", folder)
local began = seconds()
sh("lua5.4 %s '%s' 1 & other=$! && lua5.4 %s '%s' 2 && wait $other", arg[0], folder, arg[0], folder)
print(('%.2f'):format((seconds() - began) / seconds_of_zen4))
