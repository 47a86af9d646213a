--- What formats of quantization blocks share: the bytes of a block become lines, and come back.
local M = {}

--- C in which words of capitals stand for places: those of planes for their lines, as c.lane() has
--- them, and OWN[n] for byte n of the block.
---@param text string
---@param c table
---@param planes table<string, string>  word -> plane; the index of a line stands behind the word
---@return string
local function filled(text, c, planes)
  return (text:gsub('(%u[%u_]+)%[([^%[%]]*)%]', function(word, index)
    if word == 'OWN' then return c.own(index) end
    return planes[word] and c.lane(planes[word], index)
  end))
end

--- C: a line of f16 from byte `at` of a block on, and back.
---@param word string  of the line
---@param at integer
function M.take_half(word, at)
  return ('%s[0] = (uint16_t)(OWN[%d] | OWN[%d] << 8);\n'):format(word, at, at + 1)
end

function M.give_half(word, at)
  return ('OWN[%d] = (unsigned char)(%s[0] & 255);\nOWN[%d] = (unsigned char)(%s[0] >> 8);\n')
    :format(at, word, at + 1, word)
end

---@class BlockText
---@field planes table<string, string>
---@field take string   C: sets the lines from OWN[n]
---@field give string   C: sets OWN[n] from the lines
---@field bytes integer of a block
---@field encode string|nil  a C function that makes a block of floats: (const float *,
--- unsigned char *)

--- The fields `take`, `give` and `pack` of a format.
---@param block BlockText
---@return fun(c: table): string, fun(c: table): string, (fun(c: table): string)|nil
function M.of(block)
  local function take(c) return filled(block.take, c, block.planes) end
  local function give(c) return filled(block.give, c, block.planes) end
  local function pack(c)
    return ('unsigned char own[%d];\n%s(&%s, own);\n'):format(block.bytes, block.encode,
      c.weight(0)) .. take {
        lane = c.lane, own = function(n) return ('own[%s]'):format(n) end,
      }
  end
  return take, give, block.encode and pack
end

return M
