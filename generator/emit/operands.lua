--- How rows of an operand are laid into planes and read from them, in C. Those of f32 lie as they
--- are: templates read them themselves.
local formats = require 'operand.format'
local lists = require 'common.list'
local prefixes = require 'common.prefix'
local record = require 'common.record'
local weight_layout = require 'weights.layout'

local M = {}

--- Whether an operand is read as floats, one after the other.
---@param format OperandFormat
function M.is_plain(format) return not format.take end

--- Bytes of a row's block in front of a plane.
---@param s StagePlan   that reads it
---@param plane Plane
---@return integer
local function begin_of(s, plane)
  local at = 0
  for _, before in ipairs(s.stage.operand.format.planes) do
    if before.name == plane.name then break end
    at = at + (s.row + before.every - 1) // before.every * before.bytes
  end
  return at
end

--- Where the number of a plane for a k of a row lies, in C, from the begin of the row's block.
---@param s StagePlan   that reads it
---@param k string      C
local function offset(s, plane, k)
  local at = begin_of(s, plane)
  if plane.every >= s.row then return tostring(at) end -- one of all k
  local index = plane.every > 1 and ('%s / %d'):format(k, plane.every) or k
  if plane.bytes > 1 then index = ('%s * %d'):format(index, plane.bytes) end
  return at > 0 and ('%d + %s'):format(at, index) or index
end

--- The C name of the function that lays a group of a tensor.
function M.lay_name(env, tensor) return ('%slay_%s'):format(env.own, tensor) end

--- The C name of what takes x, where a stage is the first; or rows of floats that wait for it.
function M.take_name(env, s)
  if M.is_plain(s.stage.operand.format) then return env.prefix .. '_take_f32' end
  return ('%stake_%s'):format(env.own, s.stage.operand.tensor)
end

--- What a plane of a row is called in a tile.
function M.name(row, plane) return ('x%d_%s'):format(row, plane) end

--- Where a number of a plane of a row is, in C: of the group, or of the step whose k fill a lane,
--- that begins at a k.
---@param s StagePlan
---@param row integer
---@param k string
---@param plane string
---@return string
---@return string lane  the type of the plane's numbers
function M.address(env, s, row, k, plane)
  local found = lists.filter(s.stage.operand.format.planes, function(one)
    return one.name == plane
  end)[1]
  local times = row > 1 and ('%d * '):format(row) or ''
  local from = row > 0 and ('a + %s%s_BLOCK_BYTES + '):format(times, env.NAME(s)) or 'a + '
  assert(found.bytes == 4 or s.stage.arithmetic.k * found.bytes == 4, plane)
  return from .. offset(s, found, k), found.lane
end

--- Such a number in each lane.
---@return string
function M.number(env, s, row, k, plane)
  local from, lane = M.address(env, s, row, k, plane)
  if lane == 'f32' then return env.word('splat', ('*(const float *)(%s)'):format(from)) end
  return env.word('isplat', ('*(const int32_t *)(%s)'):format(from))
end

--- The declaration of `in`, in C: where the floats of the row `row` are, from column `column + c`
--- on. An operand of planes keeps its floats at the front of each block.
---@param s StagePlan
function M.floats(env, s)
  local N = env.NAME(s)
  if M.is_plain(s.stage.operand.format) then
    return ('const float *in = task->in + %s_blocked(task->rows, row, column + c, %s_ROW);'):format(
      env.prefix, N)
  end
  return ('const size_t k = column + c, block = k / %s_ROW * task->rows + row;\n'
    .. 'const float *in = task->in + block * (%s_BLOCK_BYTES / sizeof *in) + k %% %s_ROW;'):format(
    N, N, N)
end

--- The declarations of those of some planes.
---@param read table<string, boolean>  by name
---@return string
function M.declared(env, s, row, k, read)
  local lines = {}
  for _, plane in ipairs(s.stage.operand.format.planes) do
    if read[plane.name] then
      lines[#lines + 1] = ('const %s %s = %s;\n'):format(
        plane.lane == 'f32' and env.isa.vec or env.isa.ivec, M.name(row, plane.name),
        M.number(env, s, row, k, plane.name))
    end
  end
  return table.concat(lines)
end

---@class LaidPlane  a plane as who copies operands is told of it
---@field name string
---@field at integer     bytes of a row's block in front of it
---@field bytes integer  of a unit

---@class LaidOperand
---@field planes LaidPlane[]  none of rows of floats
---@field unit integer        k that are copied together: whole groups, and what slices are cut in
---@field bytes integer       of a unit, in all planes

--- What is told of the operand of a stage.
---@param s StagePlan
---@return LaidOperand
function M.laid(s)
  local format, unit, bytes = s.stage.operand.format, 0, 0
  local planes = {}
  if not M.is_plain(format) then
    unit = weight_layout.common_multiple(weight_layout.unit, format.group)
    planes = lists.map(format.planes, function(plane)
      return record.strict('laid plane', {
        name = plane.name, at = begin_of(s, plane), bytes = unit // plane.every * plane.bytes,
      })
    end)
  end
  for _, plane in ipairs(planes) do bytes = bytes + plane.bytes end
  return record.strict('laid operand', { planes = planes, unit = unit, bytes = bytes })
end

--- The functions that lay operands which do not lie as they are: a group, and whole rows.
---@param stages StagePlan[]
---@return Function[]
function M.functions(env, stages)
  local functions, laid = {}, {}
  for _, s in ipairs(stages) do
    local format, tensor = s.stage.operand.format, s.stage.operand.tensor
    if not M.is_plain(format) and not laid[tensor] then
      laid[tensor] = true -- several stages may read it
      local function place(name)
        for _, plane in ipairs(format.planes) do
          if plane.name == name then
            return ('(%s *)(void *)(in + %s)'):format(formats.lanes[plane.lane].c_type,
              offset(s, plane, 'k'))
          end
        end
      end
      local lay, scale = M.lay_name(env, tensor), s.panels.operand_at and 'scale'
      local head = ('void %s(const %s_stage_walk *stage, const void *packed, void *to,\n'
          .. '    const float *x, size_t x_stride, size_t rows)'):format(M.take_name(env, s),
        env.prefix)
      functions[#functions + 1] = {
        name = lay, inline = true, declaration = '', uses = {},
        text = env.render('lay.c.tpl', {
          s = s, N = env.NAME(s), lay = lay, scale = scale,
          code = prefixes.text(format.take {
            plane = place, from = 'from', count = 'count', isa = env.isa, scale = scale or nil,
          }, env.prefix),
        }),
      }
      if s.index == 0 or s.waits then
        functions[#functions + 1] = {
          name = M.take_name(env, s), inline = false, declaration = head, uses = { lay },
          text = env.render('take.c.tpl', {
            head = head, lay = lay, group = format.group, tensor = tensor, scale = scale,
            index = s.index,
          }),
        }
      end
    end
  end
  return functions
end

return M
