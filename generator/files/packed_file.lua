--- A model's packed weights in one file, as ffn-pack writes it: runtime/ffn_file.h has the format.
--- All of the head is checked, as ffn_file_open() does, and the checksum of an entry that is read.
local limits = require 'common.limits'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'
local version = require 'common.version'
local xxh64 = require 'files.xxh64'

local M = {}

--- Of runtime/ffn_file.h: bytes of its structs, FFN_FILE_ORDER, FFN_FILE_VERSION, FFN_FILE_STEP,
--- FFN_ALIGNMENT.
local header_bytes, entry_bytes, table_bytes = 64, 96, 64
local order, newest, step, alignment = 0x01020304, 2, 16384, 64
local magic = 'FFNMODEL'

---@class PackedEntry
---@field name string
---@field packed string    ffn_kernel.packed
---@field hash integer     of it, as the entry says it
---@field formats string   of the stages, with spaces between
---@field at integer       bytes from the begin of the file
---@field bytes integer
---@field checksum integer
---@field inputs integer
---@field hidden integer
---@field outputs integer
---@field stages integer

local function corrupted(path, what) problems.bad_input(path, 'it is corrupted: %s', what) end

--- The header, and of what the system says of the file.
local function header_of(path, handle, size)
  local text = random_access.slice(handle, 0, math.min(size, header_bytes))
  if text:sub(1, 8) ~= magic then
    problems.bad_input(path, 'it is no file of packed weights: ffn-pack writes such')
  end
  if #text < header_bytes then problems.bad_input(path, 'it is cut short') end
  local h = {}
  h.order, h.version, h.layout, h.layers, h.bytes, h.head_bytes, h.rows, h.zero, h.checksum =
    string.unpack('<I4I4I4I4i8i8i8i8i8', text, 9)
  if h.order == string.unpack('>I4', string.pack('<I4', order)) then
    problems.bad_input(path, 'it was packed on a machine of the other byte order: pack anew')
  end
  if h.order ~= order then corrupted(path, 'its byte order') end
  if h.version < 1 or h.version > newest then
    problems.bad_input(path, 'it is of version %d of the file, and 1 to %d are read: pack anew',
      h.version, newest)
  end
  if h.layout ~= version.layout then
    problems.bad_input(path, 'its weights are of layout %d, those of kernels are of %d: pack anew',
      h.layout, version.layout)
  end
  if h.bytes > size then problems.bad_input(path, 'it is cut short') end
  if h.bytes ~= size then corrupted(path, 'its bytes') end
  return h
end

--- The head as text, and where its words begin.
local function head_of(path, handle, h)
  if h.rows < 0 or h.rows > h.bytes // table_bytes or h.zero ~= 0
    or h.version == 1 and h.rows ~= 0 then
    corrupted(path, 'its tables')
  end
  local words_at = header_bytes + h.layers * entry_bytes + h.rows * table_bytes
  if h.head_bytes <= words_at or h.head_bytes > h.bytes then corrupted(path, 'its head') end
  limits.hold(path, 'packed_head', h.head_bytes)
  local text = random_access.slice(handle, 0, h.head_bytes)
  if #text ~= h.head_bytes or text:byte(-1) ~= 0
    or xxh64.number(text:sub(1, header_bytes - 8) .. text:sub(header_bytes + 1)) ~= h.checksum then
    corrupted(path, 'its head')
  end
  return text, words_at
end

--- Where what begins at `at` ends, which lies behind `from` in the file, at a multiple of `unit`;
--- nil: it cannot lie so.
local function stop_of(h, at, bytes, from, unit)
  if at < from or at % unit ~= 0 or at > h.bytes or bytes < 0 or bytes > h.bytes - at then
    return nil
  end
  return at + bytes
end

--- A word of the head, nil where there is none. Many entries may point to one word: none is long.
local function word_of(text, words_at, at)
  if at < words_at or at >= #text then return nil end
  return text:sub(at + 1, at + 1 + limits.most 'name'):match '^([^\0]*)\0'
end

--- An entry of the head, and where its weights end; nil where it cannot be so.
local function entry_of(text, h, words_at, at, from)
  local e = {}
  e.at, e.bytes, e.checksum, e.hash, e.inputs, e.hidden, e.outputs, e.layer, e.part =
    string.unpack('<i8i8i8i8i8i8i8I4I4', text, at + 1)
  local name_at, packed_at, formats_at, stages, zero, zero_too =
    string.unpack('<I4I4I4I4i8i8', text, at + 65)
  local stop = stop_of(h, e.at, e.bytes, from, step)
  if not stop or e.bytes < alignment or e.bytes % alignment ~= 0 or zero ~= 0 or zero_too ~= 0 then
    return nil
  end
  e.name, e.packed = word_of(text, words_at, name_at), word_of(text, words_at, packed_at)
  e.formats, e.stages = word_of(text, words_at, formats_at), stages
  if not (e.name and e.packed and e.formats) then return nil end
  local _, spaces = e.formats:gsub(' ', '')
  if e.stages ~= spaces + 1 then return nil end
  return record.strict('packed entry', e), stop
end

--- Whether b stands behind a, as parts of a model are in order.
local function is_behind(a, b)
  return a.layer < b.layer or a.layer == b.layer and a.part < b.part
end

--- Tables lie behind all entries, in the order of their names; nothing of them is read.
local function check_tables(path, text, h, words_at, from)
  local last
  for i = 0, h.rows - 1 do
    local at = header_bytes + h.layers * entry_bytes + i * table_bytes
    local place, bytes, _, name_at, encoding_at, zero, zero_too =
      string.unpack('<i8i8c24I4I4i8i8', text, at + 1)
    from = stop_of(h, place, bytes, from, alignment)
    local name = word_of(text, words_at, name_at)
    if not from or zero ~= 0 or zero_too ~= 0 or not name or last and last >= name
      or not word_of(text, words_at, encoding_at) then
      corrupted(path, ('table %d'):format(i + 1))
    end
    last = name
  end
end

--- What an open file has.
---@param path string
---@param handle file*
---@param size integer
---@return PackedEntry[]
function M.entries(path, handle, size)
  local h = header_of(path, handle, size)
  local text, words_at = head_of(path, handle, h)
  local entries, from = {}, h.head_bytes
  for i = 1, h.layers do
    local entry, stop = entry_of(text, h, words_at, header_bytes + (i - 1) * entry_bytes, from)
    if not entry or i > 1 and not is_behind(entries[i - 1], entry) then
      corrupted(path, ('entry %d'):format(i))
    end
    entries[i], from = entry, stop
  end
  check_tables(path, text, h, words_at, from)
  return entries
end

--- The packed weights of an entry.
---@param path string
---@param handle file*
---@param entry PackedEntry
---@return string
function M.bytes(path, handle, entry)
  local text = random_access.slice(handle, entry.at, entry.bytes)
  if #text ~= entry.bytes
    or xxh64.number(text:sub(alignment + 1) .. text:sub(1, alignment)) ~= entry.checksum then
    corrupted(path, ('the weights of "%s"'):format(record.shown(entry.name)))
  end
  return text
end

return M
