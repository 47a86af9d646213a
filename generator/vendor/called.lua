--- The one closure of calls: what of the runtime's texts a caller names, by itself or through what
--- it names. A record that is named brings the functions in it, a macro those that it calls.
local definitions = require 'vendor.definitions'
local lists = require 'common.list'

local M = {}

--- A text cut into what it names in any case, and what it names where a name is there as well:
--- between a mark of that name and its end, or between `#ifdef NAME` and `#endif`.
---@param text string
---@param visit fun(when: string|nil, code: string, is_mark: boolean)
local function each_part(text, visit)
  local function bare(code) return (code:gsub('/%*.-%*/', ' '):gsub('"[^"\n]*"', '""')) end
  text = text:gsub('/%*@ ([%w_]+) %*/(.-)/%*@ end %*/', function(name, inside)
    visit(name, bare(inside), true)
    return ''
  end)
  text = bare(text):gsub('#ifdef ([%w_]+)\n(.-)\n#endif', function(name, inside)
    if inside:find '\n#' then return nil end
    visit(name, inside, false)
    return ''
  end)
  visit(nil, text, false)
end

---@class Closure
---@field definers table<string, Piece[]>
---@field named table<string, boolean>
---@field waiting table<string, function[]>  what is done once a name is there
---@field kept table<Piece|Frame, boolean>
local Closure = {}
Closure.__index = Closure

--- Does something as soon as a name is there: at once, where it is no name of these texts.
function Closure:once(name, act)
  if not name or self.named[name] or not self.definers[name] then return act() end
  self.waiting[name] = self.waiting[name] or {}
  table.insert(self.waiting[name], act)
end

--- Keeps what defines the names in some code.
function Closure:call(code)
  for name in code:gmatch '[%a_][%w_]*' do
    if self.definers[name] and not self.named[name] then
      self.named[name] = true
      for _, piece in ipairs(self.definers[name]) do self:keep(piece) end
      for _, act in ipairs(self.waiting[name] or {}) do act() end
    end
  end
end

function Closure:read(text)
  each_part(text, function(when, code, is_mark)
    if is_mark and not self.definers[when] then
      error(('section "%s" is not chosen, and nothing of this name is defined'):format(when), 0)
    end
    self:once(when, function() self:call(code) end)
  end)
end

function Closure:keep(piece)
  if self.kept[piece] then return end
  self.kept[piece] = true
  for _, comment in ipairs(piece.comments) do self.kept[comment] = true end
  self:keep_frame(piece.frame)
  self:read(piece.text)
end

--- Keeps a frame with what is there wherever it is.
function Closure:keep_frame(frame)
  if not frame or self.kept[frame] then return end
  self.kept[frame] = true
  for _, comment in ipairs(frame.comments) do self.kept[comment] = true end
  self:keep_frame(frame.outer)
  self:call(frame.conditions)
  for _, piece in ipairs(frame.plain) do self:keep(piece) end
  for _, bare in ipairs(frame.bare) do
    local asked
    for name in bare.conditions:gmatch '[%a_][%w_]*' do
      asked = asked or self.definers[name] and name
    end
    self:once(asked, function() self:keep_frame(bare) end)
  end
end

--- A piece's text without the marked parts whose names are not there. (Without marks there is
--- nothing to look for, which the pattern would do at each letter.)
function Closure:decided(text)
  if not text:find('/*@ ', 1, true) then return text end
  return (text:gsub('[^\n]*/%*@ ([%w_]+) %*/\n(.-)[^\n]*/%*@ end %*/\n',
    function(name, inside) return self.named[name] and inside or '' end))
end

--- What is kept of a text. What is left out leaves no gap of empty lines.
function Closure:text(pieces)
  local out, gap, left_out = {}, false, false
  for _, piece in ipairs(pieces) do
    if piece.kind == 'blank' then
      gap = true
    elseif not self.kept[piece] and not (piece.kind == 'directive' and self.kept[piece.frame]) then
      left_out = true
    else
      local before = out[#out] or '#if'
      local is_edge = before:find '^#if' or before:find '^#el' or piece.text:find '^#e'
      if gap and not (left_out and is_edge) then out[#out + 1] = '\n' end
      gap, left_out = false, false
      out[#out + 1] = self:decided(piece.text)
    end
  end
  return table.concat(out)
end

--- Some texts without the definitions that neither callers name nor what these name.
---@param texts string[]  of the runtime, with the marks of what their definitions decide
---@param callers string[]
---@return string[]
function M.of(texts, callers)
  local self = setmetatable({ definers = {}, named = {}, waiting = {}, kept = {} }, Closure)
  local all, wholes = {}, {}
  for i, text in ipairs(texts) do
    all[i], wholes[i] = definitions.of(text)
    for _, piece in ipairs(all[i]) do
      for _, name in ipairs(piece.names or {}) do
        self.definers[name] = self.definers[name] or {}
        table.insert(self.definers[name], piece)
      end
    end
  end
  for _, whole in ipairs(wholes) do self:keep_frame(whole) end
  for _, caller in ipairs(callers) do self:read(caller) end
  return lists.map(all, function(pieces) return self:text(pieces) end)
end

return M
