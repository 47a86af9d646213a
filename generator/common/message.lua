--- A line to the user, on stderr: stdout is for data.
---@param text string for string.format
return function(text, ...) io.stderr:write('ffngen: ', text:format(...), '\n') end
