--- What the origin's own code computes in the layers of tests/data/import/hf, as a list of numbers
--- for origin.c: for each layer a line of its model, its place in the file of packed weights, its
--- rows and widths; then x and y. Usage, from the repository: tests/pack/origin.lua FOLDER MODEL...
package.path = 'generator/?.lua;' .. package.path
local json_object = require 'files.json_object'
local record = require 'common.record'

local folder = arg[1]
local data = 'tests/data/import/hf/'

local out = assert(io.open(folder .. '/expected', 'w'))
local count = 0
for i = 2, #arg do
  local name = arg[i]
  local file <close> = assert(io.open(data .. name .. '/expected', 'rb'))
  local text = file:read 'a'
  local length = string.unpack('<I8', text)
  local header = assert(json_object.decode(text:sub(9, 8 + length), 'header_depth', 'tensors'))
  for _, key in ipairs(record.sorted_keys(header)) do
    local layer = key:match '^x%.(%d+)$'
    if layer then
      local x, y = header[key], header['y.' .. layer]
      count = count + 1
      out:write(('%s %d %d %d %d\n'):format(name, layer, x.shape[1], x.shape[2], y.shape[2]))
      for _, tensor in ipairs { x, y } do
        for at = tensor.data_offsets[1], tensor.data_offsets[2] - 8, 8 do
          out:write(('%a\n'):format((string.unpack('<d', text, 9 + length + at))))
        end
      end
    end
  end
end
out:close()
assert(count > #arg - 2, 'layers of the origin')
