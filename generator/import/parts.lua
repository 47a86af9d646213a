--- Numbers of parts: a layer of the plan is found by its index and its part. Experts are parts from
--- 0 on; products beside the feed-forward layers, and the expert that all tokens share, have the
--- numbers below. ffn_file.h names the same numbers for C.
local M = {}

--- From here on a part is a product, or the shared expert.
M.first = 0x80000000

--- The numbers by name. From `other` on are products that are found by their names alone.
M.by_name = {
  qkv = 0x80000000, o = 0x80000001, cross_q = 0x80000002, cross_kv = 0x80000003,
  cross_o = 0x80000004, head = 0x80000005, shared = 0x80000006, router = 0x80000007,
  other = 0x80000100,
}

--- In the order of their numbers.
M.names = {
  'qkv', 'o', 'cross_q', 'cross_kv', 'cross_o', 'head', 'shared', 'router', 'other',
}

--- Whether a part of a layer is a product and no feed-forward layer.
---@param part integer|false
function M.is_product(part)
  return part ~= false and part >= M.first and part ~= M.by_name.shared
end

--- Whether a number from `first` on has a name, or numbers a product without one.
---@param part integer
function M.is_known(part)
  for _, name in ipairs(M.names) do
    if part == M.by_name[name] then return true end
  end
  return part > M.by_name.other
end

return M
