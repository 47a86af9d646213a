--- A part of the layers of a spec, as a spec: few layers notice most defects, and are compiled in a
--- fraction of the time that all of them take.
local M = {}

--- Every way to write a stage that templates have, in the smallest layers of specs.lua that do;
--- with the layers that their bits are compared with.
M.few = {
  gated_with_tails = true, square = true, blocks_and_chains = true, dots = true,
  almost_dots = true, own_bytes = true, own_bytes_f32 = true, dots_f16 = true, input_gate = true,
  gated_few = true, zeros = true, runtime_beta = true,
}

--- The text of a spec without the layers that are not wanted. A layer is written from its word on
--- to the line in which its last bracket is closed.
---@param text string
---@param wanted table<string, boolean>
---@return string part
function M.part_of(text, wanted)
  local lines, depth, is_left = {}, 0, false
  for line in text:gmatch('([^\n]*)\n') do
    local name = depth == 0 and line:match("^%l+ '([%w_]+)'")
    if name then is_left = not wanted[name] end
    local was_left = is_left
    depth = depth + select(2, line:gsub('{', '')) - select(2, line:gsub('}', ''))
    if depth == 0 then is_left = false end
    if not was_left then lines[#lines + 1] = line .. '\n' end
  end
  return table.concat(lines)
end

return M
