--- The lines that a command prints; it must succeed.
---@param command string
---@return string[]
return function(command)
  local pipe, list = assert(io.popen(command)), {}
  for line in pipe:lines() do list[#list + 1] = line end
  assert(pipe:close(), command)
  return list
end
