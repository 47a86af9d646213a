--- A row as a layer that is written for few bytes multiplies it as integers: in groups, one behind
--- the other, each behind what is kept of it. A whole row may be one group. Groups lie alike in
--- every stage, and so stages of a format share a function.
local comments = require 'emit.comments'
local formats = require 'operand.format'
local lists = require 'common.list'
local prefixes = require 'common.prefix'

local M = {}

--- Whether a row has one number of a plane, however long it is.
local function is_of_row(format, plane)
  return format.of_rows and plane.every == format.group
end

--- What the functions of a stage depend on beside the format of its weights.
---@param format OperandFormat
function M.key(format)
  return table.concat(lists.map(format.planes, function(plane)
    return ('%s %s'):format(plane.name, is_of_row(format, plane) and 'row' or plane.every)
  end), ' ')
end

--- Bytes of a group in front of each of its planes: last are the bytes that are multiplied.
---@param format OperandFormat
---@return table<string, integer>
local function places_of(format)
  local at, bytes = {}, 0
  for _, plane in ipairs(format.planes) do
    if plane.name ~= format.multiplied then
      at[plane.name] = bytes
      bytes = bytes + format.group // plane.every * plane.bytes
    end
  end
  at[format.multiplied] = bytes
  return at
end

--- Bytes of a group that are kept in front of those which are multiplied.
---@param format OperandFormat
---@return integer
local function kept_bytes(format) return places_of(format)[format.multiplied] end

--- Bytes of a group, where all have the same.
---@param format OperandFormat
function M.bytes(format) return kept_bytes(format) + format.group end

--- A place so many bytes behind another, in C.
local function behind(base, at) return at > 0 and ('%s + %d'):format(base, at) or base end

--- Where the bytes of the first group begin, in C: `a` is the row.
---@param format OperandFormat
function M.first(format) return behind('a', kept_bytes(format)) end

local function plane_of(format, name)
  return lists.filter(format.planes, function(plane) return plane.name == name end)[1]
end

--- The function that lays a row.
---@param c CompactStage
---@return Function
function M.lay(env, c)
  local format, at = c.laid, places_of(c.laid)
  local name = ('%slay_%s'):format(env.own, c.plan.stage.operand.tensor)
  local head = ('void %s(char *to, const float *row, size_t inputs)'):format(name)
  return {
    name = name, inline = false, declaration = head, uses = {},
    text = env.render('compact_lay.c.tpl', {
      head = head, about = comments.compact_lay(format, kept_bytes(format)),
      format = format, bytes = M.bytes(format), least = formats.least_group,
      code = prefixes.text(format.take {
        plane = function(plane)
          return ('(%s *)(void *)(%s)'):format(
            formats.lanes[plane_of(format, plane).lane].c_type, behind('to', at[plane]))
        end,
        group = format.of_rows and 'group' or nil, from = format.of_rows and 'row' or 'from',
        count = format.of_rows and 'inputs' or 'count', isa = env.isa,
      }, env.prefix),
    }),
  }
end

--- The number of a plane that belongs to k, in C: `x` is the group that holds it, `a` the row.
---@param format OperandFormat
---@param name string
---@param k string
function M.number(format, name, k)
  local at, plane = places_of(format)[name], plane_of(format, name)
  local index = plane.every < format.group and (' + %s %% %d / %d * %d'):format(k, format.group,
    plane.every, plane.bytes) or ''
  return ('*(const %s *)(const void *)(%s%s)'):format(formats.lanes[plane.lane].c_type,
    behind(format.of_rows and 'a' or 'x', at), index)
end

--- The bytes of four k, of which the first is k i of a step, in C: `x` is the group; or the step,
--- where a row is one group.
---@param format OperandFormat
---@param i integer
function M.quad(format, i)
  if format.of_rows then
    return ('*(const int32_t *)(const void *)(%s)'):format(behind('x', i))
  end
  return ('*(const int32_t *)(const void *)(%s + k %% %d)'):format(
    behind('x', kept_bytes(format) + i), format.group)
end

return M
