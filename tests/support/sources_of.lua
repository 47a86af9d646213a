--- What sources need of tests/support: NAME.c of each header NAME.h that they include, and what
--- that needs in turn. So no script lists it by hand, nor breaks when it comes to need more. The
--- stand-in for Criterion is no header of these.
---@param sources string[] paths
---@param root string|nil the project's folder, which paths are relative to
---@return string[] paths, in a fixed order
return function(sources, root)
  local found, seen = {}, {}

  local function text_of(path)
    local handle = io.open(root and root .. '/' .. path or path, 'rb')
    local text = handle and handle:read('a')
    return handle and handle:close() and text
  end

  local function follow(path)
    if seen[path] then return end
    seen[path] = true
    local folder = path:match('^(.*/)') or ''
    for name in assert(text_of(path), path .. ' is not there'):gmatch('#include "([^"]+)"') do
      local shared = 'tests/support/' .. name:gsub('^support/', '')
      local source = shared:gsub('%.h$', '.c')
      if text_of(shared) then
        follow(shared)
        if not seen[source] and text_of(source) then
          found[#found + 1] = source
          follow(source)
        end
      elseif text_of(folder .. name) then -- a header of the source's own folder
        follow(folder .. name)
      end
    end
  end

  for _, path in ipairs(sources) do follow(path) end
  table.sort(found)
  return found
end
