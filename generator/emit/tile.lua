--- The words of a stage's hot loops: sums in registers, one step of k, folding, and the epilogue of
--- one vector. block.c.tpl and straight.c.tpl arrange them.
local text_lines = require 'common.text'
local vector = require 'emit.vector'

local M = {}

M.wrap = text_lines.wrap
local wrap = M.wrap

local function indent(text) return (text:gsub('\n', '\n  ')) end

--- `base + amount` as C text.
local function offset(base, amount)
  if base == '' then return tostring(amount) end
  return amount == 0 and base or ('%s + %d'):format(base, amount)
end
M.offset = offset

---@param isa table
---@param s table a stage of a plan
---@return table words
function M.words(isa, s)
  local stage = s.stage
  local branches = #stage.branches
  local words = { isa = isa }
  local function word(...) return vector.word(isa, ...) end

  local function sum_name(row, v, chain)
    if stage.chains == 1 then return ('s%d_%d'):format(row, v) end
    return ('s%d_%d_%d'):format(row, v, chain)
  end

  --- Where vector v of a tile lies: its branch and its column.
  local function place(tile, v)
    local per_branch = tile.cols // isa.lanes
    return v // per_branch, tile.first + v % per_branch * isa.lanes
  end

  --- The result of a tile's vector, once its chains are folded.
  function words.sum_of(row, v) return sum_name(row, v, 0) end

  --- Declares the sums of a row.
  function words.sums(tile, row)
    local parts = {}
    for v = 0, tile.vectors - 1 do
      for chain = 0, stage.chains - 1 do
        parts[#parts + 1] = ('%s = %s,'):format(sum_name(row, v, chain), word('zero'))
      end
    end
    parts[#parts] = parts[#parts]:gsub(',$', '')
    return indent(wrap(parts, 88))
  end

  --- Whether a tile fetches the rows of the next one: where a block has enough of them to leave L1.
  function words.fetches_rows(tile) return stage.blocks > 1 and tile.rows > 1 end

  --- One k's part of fetching ahead: each cache line that a tile reads of it.
  function words.fetch(tile, pointer)
    local parts = {}
    for panel = 0, math.max(1, tile.cols // 16) - 1 do
      for branch = 0, branches - 1 do
        parts[#parts + 1] = ('FFN_FETCH(%s);'):format(
          offset(pointer, panel * s.panel_floats + branch * 16))
      end
    end
    return wrap(parts, 92)
  end

  --- One k: every row's activation times every vector of weights, into the sums of a chain. The
  --- activations lie at a[k], the weights at w, both `ahead` of where these point.
  function words.step(tile, chain, a, k, w, ahead)
    local lines, weights, names = {}, {}, {}
    for v = 0, tile.vectors - 1 do
      local branch, column = place(tile, v)
      local at = ahead * s.step + column // 16 * s.panel_floats + branch * 16 + column % 16
      local load = word('load', offset(w, at))
      -- One row uses each weight once: it needs no name.
      weights[v] = tile.rows == 1 and load or 'w' .. v
      names[v + 1] = ('w%d = %s,'):format(v, load)
    end
    if tile.rows > 1 then
      names[#names] = names[#names]:gsub(',$', ';')
      lines[1] = ('const %s %s'):format(isa.vec, indent(wrap(names, 80)))
    end
    for row = 0, tile.rows - 1 do
      local parts = { ('const %s x = %s;'):format(isa.vec,
        word('splat', ('%s[%s]'):format(a, offset(k, row * s.row_stride + ahead)))) }
      for v = 0, tile.vectors - 1 do
        local sum = sum_name(row, v, chain)
        parts[#parts + 1] = ('%s = %s;'):format(sum, word('fma', 'x', weights[v], sum))
      end
      lines[#lines + 1] = (row > 0 and ('if (rows > %d) '):format(row) or '') .. '{'
      lines[#lines + 1] = '  ' .. indent(wrap(parts, 92))
      lines[#lines + 1] = '}'
    end
    return table.concat(lines, '\n')
  end

  --- A statement for each vector of a row; rows above the first are guarded.
  local function each_vector(tile, row, statement)
    local lines = {}
    for v = 0, tile.vectors - 1 do
      local branch, column = place(tile, v)
      statement(lines, v, offset('sum', (row * branches + branch) * tile.cols + column))
    end
    if row == 0 then return table.concat(lines, '\n') end
    return ('if (rows > %d) {\n  %s\n}'):format(row, indent(table.concat(lines, '\n')))
  end

  --- Folds the chains of a row's sums.
  function words.fold(tile, row)
    return each_vector(tile, row, function(lines, v)
      local width = stage.chains
      while width > 1 do
        width = width // 2
        for chain = 0, width - 1 do
          local into = sum_name(row, v, chain)
          lines[#lines + 1] = ('%s = %s;'):format(into,
            word('add', into, sum_name(row, v, chain + width)))
        end
      end
    end)
  end

  --- Adds the sums of the blocks before.
  function words.carry(tile, row)
    return each_vector(tile, row, function(lines, v, at)
      local into = sum_name(row, v, 0)
      lines[#lines + 1] = ('%s = %s;'):format(into, word('add', word('load', at), into))
    end)
  end

  function words.keep(tile, row)
    return each_vector(tile, row, function(lines, v, at)
      lines[#lines + 1] = ('%s;'):format(word('store', at, sum_name(row, v, 0)))
    end)
  end

  --- The epilogue of one vector: the sum of each branch, bias, activation, product.
  ---@param sums string[] C text of the sum of each branch
  ---@param bias string[] C text of the address of each branch's bias
  ---@param input string C text of the address of the input that `product = 'input'` takes
  function words.value(sums, bias, input)
    local lines = {}
    for b, branch in ipairs(stage.branches) do
      local value = sums[b]
      -- A sum that skips zeros and one that adds them agree but for the sign of a zero.
      if stage.zeros then value = word('add', value, word('zero')) end
      if stage.bias then value = word('add', value, word('load', bias[b])) end
      lines[b] = ('const %s %s = %s;'):format(isa.vec, branch.name, value)
    end
    local result = stage.branches[1].name
    if stage.activation.name ~= 'identity' then
      result = ('act_%s(%s%s)'):format(stage.activation.name, result, stage.beta and ', beta' or '')
    end
    if stage.product == 'up' then result = word('mul', result, stage.branches[2].name) end
    if stage.product == 'input' then
      result = word('mul', word('load', input), result)
    end
    lines[#lines + 1] = ('const %s value = %s;'):format(isa.vec, result)
    return table.concat(lines, '\n')
  end

  --- The run-time or fixed beta as a vector.
  function words.beta(packed)
    if stage.beta == 'runtime' then
      return word('splat', ('ffn_packed_beta(%s)'):format(packed))
    end
    return stage.beta and word('splat', vector.float_literal(stage.beta))
  end

  return words
end

return M
