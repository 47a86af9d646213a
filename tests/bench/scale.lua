--- How a layer in slices scales: scale.lua --help.
---
--- LogGP (Alexandrov, Ionescu, Schauser, Scheiman: LogGP, SPAA 1995): a message of m bytes takes
--- latency + m / bandwidth (L + 2 o, and G). Collectives as in Thakur, Rabenseifner, Gropp:
--- Optimization of Collective Communication Operations in MPICH, IJHPCA 19, 2005: to gather m bytes
--- on n nodes takes ceil(log2 n) messages where m is small, else n - 1 in a ring, and each node
--- receives (n - 1) / n m bytes; an all-reduce scatters sums as it then gathers them. It is taken
--- for granted that sums cost nothing, that links are nobody else's, and that few weights, which a
--- cache may hold, are read no faster than many.
local help = [[
usage: scale.lua --of D_MODEL,D_FF --kernel TOKENS=SECONDS ... --bandwidth GB/S --latency US
                 [--copy GB/S] [--layer NAME=D_MODEL,D_FF ...] [--held NODES,TOKENS=SECONDS ...]

Predicts the time per token of SwiGLU layers in slices on 1 to 256 nodes, without --layer of those
of llama3-70b and qwen2.5-72b, beside a split of sums: of the second product's k.

--of, --kernel  a SwiGLU layer that was measured on one node, and what a call of so many tokens
                takes: `ninja bench-mpi` tells, or `build/bench/bench --layers llama3_8b` (cold, all
                threads). Other layers are taken to need as long for each of their weights.
--bandwidth     of a node's link, each way; --latency: of a message, in microseconds
--copy          one thread's speed of copying 128 bytes at a time; 10 where it is not given
--held          what a call of the layer took on so many nodes: tells how far off a prediction is,
                and ends with 1 where that is more than 20 %
]]

local function fail(...)
  io.stderr:write('scale: ', (...):format(select(2, ...)), '\n')
  os.exit(2)
end

--- Outputs of a unit, and rows of an exchange, as the runtime has them.
local function constant(name)
  local file = assert(io.open(arg[0]:gsub('[^/]*$', '') .. '../../runtime/ffn_slice.h'))
  local value = file:read('a'):match('#define ' .. name .. ' (%d+)')
  file:close()
  return math.tointeger(value)
end
local unit, most_rows = constant 'FFN_SLICE_UNIT', constant 'FFN_SLICE_ROWS'

local asked = {
  ['--of'] = { form = '(%d+),(%d+)' }, ['--kernel'] = { form = '(%d+)=(.+)' },
  ['--bandwidth'] = { form = '(.+)' }, ['--latency'] = { form = '(.+)' },
  ['--copy'] = { form = '(.+)', { 10 } }, ['--layer'] = { form = '(%a[%w._-]*)=(%d+),(%d+)' },
  ['--held'] = { form = '(%d+),(%d+)=(.+)' },
}
if arg[1] == '--help' then
  io.write(help)
  os.exit(0)
end
for i = 1, #arg, 2 do
  local option = asked[arg[i]] or fail('unknown option %s: see --help', arg[i])
  local values = { (arg[i + 1] or ''):match('^' .. option.form .. '$') }
  if #values == 0 then fail('%s %s: not as --help says', arg[i], arg[i + 1] or '') end
  for j, word in ipairs(values) do
    local value = tonumber(word)
    if value and value > 0 and value < 1e9 then
      values[j] = value
    elseif not word:match('^%a') or option ~= asked['--layer'] then
      fail('%s %s: %s is no number that it takes', arg[i], arg[i + 1], word)
    end
  end
  table.insert(option, values)
end
for _, name in ipairs { '--of', '--kernel', '--bandwidth', '--latency' } do
  if #asked[name] == 0 then fail('%s is missing: see --help', name) end
end
local function last(name) return table.unpack(asked[name][#asked[name]]) end
local measured_d, measured_f = last '--of'
local bandwidth, latency = 1e9 * last '--bandwidth', 1e-6 * last '--latency'
local copy = 1e9 * last '--copy'

local function divided_up(a, b) return (a + b - 1) // b end

--- Of outputs in units, the part that the node with the most has.
local function share(outputs, n)
  return math.min(outputs, divided_up(divided_up(outputs, unit), n) * unit) / outputs
end

--- Seconds that all nodes take to gather so many bytes, or to scatter sums.
local function gather(bytes, n)
  local messages, small = 0, bytes < (n & (n - 1) == 0 and 512 or 80) * 1024
  while 1 << messages < n do messages = messages + 1 end
  return (small and messages or n - 1) * latency + (n - 1) / n * bytes / bandwidth
end

--- Of a token on n nodes: seconds in all, those of exchanges, and those of a split of sums.
local function predict(d, f, n, tokens, seconds)
  local blocks = divided_up(tokens, most_rows)
  local row, of_token = 4 * tokens / blocks, blocks / tokens
  local whole = seconds / tokens * (d * f) / (measured_d * measured_f)
  local gathered = of_token * (gather(f * row, n) + gather(d * row, n))
  local copied = 4 * (1 + 1 / n) * (f + (n > 1 and d or 0)) / copy
  return whole * (2 * share(f, n) + share(d, n)) / 3 + copied + gathered, gathered,
    whole * share(f, n) + of_token * 2 * gather(d * row, n)
end

local function time(seconds)
  return seconds >= 1e-3 and ('%.3g ms'):format(1e3 * seconds) or ('%.3g µs'):format(1e6 * seconds)
end

--- The table of a layer in so many tokens, and where another doubling of nodes is worth too little.
local function show(name, d, f, tokens, seconds)
  local before, pays
  print(('\n%s, %d -> %d, %d at once: time per token, bytes that a node receives for it\n'):format(
    name, d, f, tokens))
  print('| nodes | time | of it exchanging | received | split sums: time | received |')
  print('| ---: | ---: | ---: | ---: | ---: | ---: |')
  for power = 0, 8 do
    local n = 1 << power
    local all, gathered, split = predict(d, f, n, tokens, seconds)
    print(('| %d | %s | %s | %.0f | %s | %.0f |'):format(n, time(all), time(gathered),
      4 * (n - 1) / n * (f + d), time(split), 4 * (n - 1) / n * 2 * d))
    if before and not pays and before / all < 1.5 then
      pays = ('Pays up to %d: %d nodes are %.2f times as fast.'):format(n // 2, n, before / all)
    end
    before = all
  end
  local waits = divided_up(tokens, most_rows) / tokens
  print(('\n%s\nWaits: %.2g a token, %.2g where sums are split.'):format(
    pays or 'Pays up to 256.', 2 * waits, waits))
end

--- Whether a prediction is as near to what was measured as it has to be.
local function holds(n, tokens, seconds)
  for _, kernel in ipairs(asked['--kernel']) do
    if kernel[1] == tokens then
      local all = predict(measured_d, measured_f, n, table.unpack(kernel))
      local off = 100 * (all * tokens / seconds - 1)
      print(('%d -> %d, %d at once on %d nodes: %s a token, predicted %s: %+.1f %%'):format(
        measured_d, measured_f, tokens, n, time(seconds / tokens), time(all), off))
      return math.abs(off) <= 20
    end
  end
  fail('--held: no --kernel of %d tokens', tokens)
end

local all_hold = true
for _, held in ipairs(asked['--held']) do all_hold = holds(table.unpack(held)) and all_hold end
local layers = asked['--layer']
if #layers == 0 and #asked['--held'] == 0 then
  layers = { { 'llama3-70b', 8192, 28672 }, { 'qwen2.5-72b', 8192, 29568 } }
end
for _, layer in ipairs(layers) do
  local name, d, f = table.unpack(layer)
  for _, kernel in ipairs(asked['--kernel']) do show(name, d, f, table.unpack(kernel)) end
end
os.exit(all_hold and 0 or 1)
