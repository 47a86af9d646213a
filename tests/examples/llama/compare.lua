--- Compares what the example says with a file of logits (models.py).
--- Usage: compare.lua LOGITS SAID FOLLOWED DRAFTED
local wanted, said, followed, drafted = table.unpack(arg)

local function lines(path)
  local list = {}
  for line in io.lines(path) do list[#list + 1] = line end
  return list
end

local function numbers(line)
  local list = {}
  for word in line:gmatch '%S+' do list[#list + 1] = assert(tonumber(word), line) end
  return list
end

local should, is = lines(wanted), lines(said)
assert(#should > 2 and #is == #should - 2, ('%s: %d rows'):format(said, #is))
local most, count = 0.0, 0
for i, line in ipairs(is) do
  local a, b = numbers(line), numbers(should[i + 2])
  assert(#a == #b and #a > 0, said)
  for k, x in ipairs(a) do
    local off = math.abs(x - b[k])
    assert(off <= 1e-4, ('%s: row %d, token %d: %.9g, not %.9g'):format(said, i, k, x, b[k]))
    most, count = math.max(most, off), count + 1
  end
end
for _, path in ipairs { followed, drafted } do
  local tokens = lines(path)[1]
  assert(tokens == should[2], ('%s: "%s", not "%s"'):format(path, tokens, should[2]))
end
print(('%-24s %d logits, off by at most %.1e; the same tokens by decoding and by drafts'):format(
  wanted:match '[^/]*$', count, most))
