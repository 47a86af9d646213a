--- Makes a file of a text, or ends in an error.
---@param path string
---@param text string
return function(path, text)
  local handle = assert(io.open(path, 'wb'))
  assert(handle:write(text))
  assert(handle:close())
end
