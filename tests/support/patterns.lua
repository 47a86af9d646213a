--- Patterns of Lua (lstrlib.c of Lua 5.4), matched in Lua, so that what they take can be counted: C
--- does the same steps unseen. Each step is a look at a byte of the text by a part of the pattern.
local M = {}

local byte, sub = string.byte, string.sub

local classes = {
  a = 'a', c = 'c', d = 'd', g = 'g', l = 'l', p = 'p', s = 's', u = 'u', w = 'w', x = 'x',
}

--- Bytes of a class by the C library's own word, once.
local sets = {}
local find = string.find
local function in_class(c, letter)
  local small = letter:lower()
  if not classes[small] then return byte(letter) == c end
  local set = sets[small]
  if not set then
    set = {}
    for i = 0, 255 do set[i] = find(string.char(i), '%' .. small) ~= nil end
    sets[small] = set
  end
  return set[c] == (small == letter)
end

local Match = {}
Match.__index = Match

--- The place behind a single part of the pattern.
function Match:part_end(p)
  local c = sub(self.pattern, p, p)
  p = p + 1
  if c == '%' then return p + 1 end
  if c == '[' then
    if sub(self.pattern, p, p) == '^' then p = p + 1 end
    repeat
      local inner = sub(self.pattern, p, p)
      p = p + 1
      if inner == '%' then p = p + 1 end
    until sub(self.pattern, p, p) == ']'
    return p + 1
  end
  return p
end

function Match:in_set(c, p, last)
  local is = true
  if sub(self.pattern, p + 1, p + 1) == '^' then is, p = false, p + 1 end
  p = p + 1
  while p < last do
    local at = sub(self.pattern, p, p)
    if at == '%' then
      p = p + 1
      if in_class(c, sub(self.pattern, p, p)) then return is end
    elseif sub(self.pattern, p + 1, p + 1) == '-' and p + 2 < last then
      if byte(at) <= c and c <= byte(self.pattern, p + 2) then return is end
      p = p + 2
    elseif byte(at) == c then
      return is
    end
    p = p + 1
  end
  return not is
end

function Match:single(s, p, behind)
  self.steps = self.steps + 1
  local c = byte(self.text, s)
  if not c then return false end
  local at = sub(self.pattern, p, p)
  if at == '.' then return true end
  if at == '%' then return in_class(c, sub(self.pattern, p + 1, p + 1)) end
  if at == '[' then return self:in_set(c, p, behind - 1) end
  return byte(at) == c
end

function Match:balance(s, p)
  local open, close = sub(self.pattern, p, p), sub(self.pattern, p + 1, p + 1)
  if sub(self.text, s, s) ~= open then return nil end
  local depth = 1
  for i = s + 1, #self.text do
    self.steps = self.steps + 1
    local c = sub(self.text, i, i)
    if c == close then
      depth = depth - 1
      if depth == 0 then return i + 1 end
    elseif c == open then
      depth = depth + 1
    end
  end
  return nil
end

--- The end of the match of the pattern from p on at s, or nil.
function Match:match(s, p)
  while true do
    if p > #self.pattern then return s end
    local at, after = sub(self.pattern, p, p), sub(self.pattern, p + 1, p + 1)
    if at == '(' then
      local captures = self.captures
      captures[#captures + 1] = { first = s, length = after == ')' and 'place' or false }
      local e = self:match(s, p + (after == ')' and 2 or 1))
      if not e then captures[#captures] = nil end
      return e
    elseif at == ')' then
      local open
      for i = #self.captures, 1, -1 do
        if self.captures[i].length == false then
          open = self.captures[i]
          break
        end
      end
      open.length = s - open.first
      local e = self:match(s, p + 1)
      if not e then open.length = false end
      return e
    elseif at == '$' and p == #self.pattern then
      self.steps = self.steps + 1
      return s == #self.text + 1 and s or nil
    elseif at == '%' and after == 'b' then
      s = self:balance(s, p + 2)
      if not s then return nil end
      p = p + 4
    elseif at == '%' and after == 'f' then
      p = p + 2
      local behind = self:part_end(p)
      self.steps = self.steps + 1
      local before, here = byte(self.text, s - 1) or 0, byte(self.text, s) or 0
      if s == 1 then before = 0 end
      if self:in_set(before, p, behind - 1) or not self:in_set(here, p, behind - 1) then
        return nil
      end
      p = behind
    else
      local behind = self:part_end(p)
      local repeated = sub(self.pattern, behind, behind)
      if repeated == '?' then
        if self:single(s, p, behind) then
          local e = self:match(s + 1, behind + 1)
          if e then return e end
        end
        p = behind + 1
      elseif repeated == '*' or repeated == '+' then
        local i = 0
        while self:single(s + i, p, behind) do i = i + 1 end
        local least = repeated == '+' and 1 or 0
        while i >= least do
          local e = self:match(s + i, behind + 1)
          if e then return e end
          i = i - 1
        end
        return nil
      elseif repeated == '-' then
        while true do
          local e = self:match(s, behind + 1)
          if e then return e end
          if not self:single(s, p, behind) then return nil end
          s = s + 1
        end
      else
        if not self:single(s, p, behind) then return nil end
        s, p = s + 1, behind
      end
    end
  end
end

--- The steps of a search, and where it ends: first and last byte, or nil.
---@param text string
---@param pattern string
---@param at integer
---@return integer steps
---@return integer|nil first
---@return integer|nil last
function M.search(text, pattern, at)
  local is_anchored = sub(pattern, 1, 1) == '^'
  local own = is_anchored and sub(pattern, 2) or pattern
  local m, s = setmetatable({ text = text, pattern = own, steps = 0 }, Match), at
  repeat
    m.captures = {}
    local e = m:match(s, 1)
    if e then return m.steps, s, e - 1 end
    s = s + 1
  until is_anchored or s > #text + 1
  return m.steps, nil, nil
end

--- Runs a function with all patterns counted that are matched meanwhile, also by modules that it
--- requires anew.
---@param work fun(taken: fun(): table<string, number>, integer)  what it is given tells of each
--- pattern its steps for each byte of a text, at most; and the steps of all; and begins anew
function M.counted(work)
  local real, worst, all, is_inside = {}, {}, 0, false
  local function note(text, pattern, steps)
    all = all + steps
    worst[pattern] = math.max(worst[pattern] or 0, steps / (#text + 32))
  end
  local function once(text, pattern, at)
    at = at or 1
    if at < 0 then at = math.max(1, #text + at + 1) end
    note(text, pattern, (M.search(text, pattern, at)))
  end
  --- All matches, one behind the other.
  local function each(text, pattern)
    local at, total = 1, 0
    while at <= #text + 1 do
      local steps, first, last = M.search(text, pattern, at)
      total = total + steps
      if not first or byte(pattern) == byte '^' then break end
      at = math.max(last + 1, first + 1)
    end
    note(text, pattern, total)
  end
  for name, count in pairs { match = once, find = once, gmatch = each, gsub = each } do
    real[name] = string[name]
    string[name] = function(text, pattern, ...) -- luacheck: ignore
      local is_plain = name == 'find' and select(2, ...)
      if not is_inside and type(text) == 'string' and not is_plain then
        is_inside = true
        count(text, pattern, name ~= 'gsub' and ... or nil)
        is_inside = false
      end
      return real[name](text, pattern, ...)
    end
  end
  local ok, problem = pcall(work, function()
    local was, steps = worst, all
    worst, all = {}, 0
    return was, steps
  end)
  for name, own in pairs(real) do string[name] = own end -- luacheck: ignore
  if not ok then error(problem, 0) end
end

return M
