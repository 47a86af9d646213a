--- Texts with gaps, which are cut once and filled in again and again.
local unit = require 'luaunit'
local gaps = require 'emit.gaps'

TestGaps = {}

--- A text whose gaps are filled with themselves is as it was, whatever stands between them.
function TestGaps.test_filled()
  local function filled(text, value_of)
    return gaps.filled(gaps.cut(text), value_of)
  end
  local a, b = gaps.mark 'a', gaps.mark 'b c'
  for _, text in ipairs {
    '', 'none', a, a .. b, a .. a .. ' ' .. b, 'x' .. a, a .. 'x', 'x = ' .. b .. ' + ' .. a .. ';',
  } do
    unit.assertEquals(filled(text, gaps.mark), text)
    local expected = text:gsub(a, '<1>'):gsub(b, '<%%2>')
    unit.assertEquals(filled(text, function(key) return key == 'a' and '<1>' or '<%2>' end),
      expected)
  end
end

--- Gaps of another form, as the words of instruction sets have them.
function TestGaps.test_words()
  local pieces = gaps.cut('fma($1, $2, $1)', '%$(%d)')
  unit.assertEquals(pieces, { 'fma(', '1', ', ', '2', ', ', '1', ')' })
  unit.assertEquals(gaps.filled(pieces, function(i) return 'x' .. i end), 'fma(x1, x2, x1)')
end
