--- The text of `ffngen explain`: a kernel's spec, layer and plan on one page.
local choices = require 'plan.choices'
local describe = require 'emit.describe'
local name = require 'lower.name'

local M = {}

local function bytes(n)
  if n < 10240 then return ('%d B'):format(n) end
  if n < 10 << 20 then return ('%.1f KiB'):format(n / 1024) end
  return ('%.1f MiB'):format(n / (1 << 20))
end

--- What is asked for.
function M.spec(s)
  local lines = {
    ('spec %s (%s:%d)'):format(s.name, s.file:match('[^/]+$'), s.line),
  }
  if s.about ~= '' then lines[#lines + 1] = '  ' .. s.about end
  local parts = {
    ('%s%s'):format(s.kind, s.word and ' ' .. s.word or ''), ('d_model %d'):format(s.d_model),
  }
  if s.d_ff then parts[#parts + 1] = ('d_ff %d'):format(s.d_ff) end
  parts[#parts + 1] = ('d_out %d'):format(s.d_out)
  parts[#parts + 1] = s.bias and 'bias' or 'no bias'
  if s.beta then
    parts[#parts + 1] = s.beta == 'runtime' and 'run-time beta' or ('beta %.9g'):format(s.beta)
  end
  lines[#lines + 1] = '  ' .. table.concat(parts, ', ')
  for _, build in ipairs(s.build) do
    lines[#lines + 1] = ('  build %s for %s'):format(build.dtype, table.concat(build.isa, ', '))
  end
  return lines
end

--- What is computed, and in which order.
function M.layer(l)
  local lines = { 'layer ' .. l.name }
  for _, line in ipairs(l.equation) do lines[#lines + 1] = '  ' .. line end
  for i, s in ipairs(l.stages) do
    lines[#lines + 1] = ('  stage %d  %-8s %s'):format(i, s.name, describe.stage(s))
    lines[#lines + 1] = ('           %-8s %s'):format('', describe.order(s))
    if s.activation.name ~= 'identity' then
      lines[#lines + 1] = ('           %-8s %s: %s'):format('', s.activation.name,
        describe.contract(s.activation))
    end
  end
  lines[#lines + 1] = ('  %d flop per token'):format(l.flop_per_token)
  return lines
end

--- How it is computed on one instruction set.
function M.plan(p)
  local lines = {
    ('plan %s'):format(p.name),
    ('  %s, %d lanes, %d registers'):format(p.isa.title, p.isa.lanes, p.isa.registers),
  }
  for i, s in ipairs(p.stages) do
    lines[#lines + 1] = ('  stage %d  %-8s %s'):format(i, s.name, describe.tiles(s, p.isa))
  end
  lines[#lines + 1] = ('  rows per walk %d; packed weights %s; work per thread %s'):format(
    p.row_block, bytes(p.packed_bytes), bytes(p.work_bytes))
  local fetch, sparse = p.stages[1].fetch, 0
  for _, s in ipairs(p.stages) do sparse = math.max(sparse, s.sparse_rows) end
  if fetch then lines[#lines + 1] = ('  weights fetched %d bytes ahead'):format(fetch) end
  if sparse > 0 then
    lines[#lines + 1] = ('  zeros skipped where up to %d tokens share them'):format(sparse)
  end
  for _, form in ipairs(p.straight and p.straight.forms or {}) do
    lines[#lines + 1] = ('  straight line of %d row%s: %d FMAs, %d loads; at two of each per cycle '
      .. 'at least %d cycles'):format(form.height, form.height == 1 and '' or 's', form.fmas,
      form.loads, (math.max(form.fmas, form.loads) + 1) // 2)
  end
  lines[#lines + 1] = ('  profile %s, choices: %s%s'):format(p.profile.name,
    choices.all_text(p.choices),
    p.tuned_for and ', measured on ' .. p.tuned_for or '')
  return lines
end

--- The page for one spec.
---@param s Spec
---@param plans Plan[] of that spec
function M.page(s, plans)
  local lines = {}
  local function append(more)
    for _, line in ipairs(more) do lines[#lines + 1] = line end
    lines[#lines + 1] = ''
  end
  append(M.spec(s))
  append(M.layer(plans[1].layer))
  for _, p in ipairs(plans) do append(M.plan(p)) end
  lines[#lines] = nil
  return table.concat(lines, '\n') .. '\n'
end

--- One line per kernel.
function M.list(plans)
  local lines = {}
  for _, p in ipairs(plans) do
    lines[#lines + 1] = ('%-60s %s'):format(p.name, name.describe(p.name))
  end
  return table.concat(lines, '\n') .. '\n'
end

--- The same as a table for JSON.
function M.list_table(plans)
  local kernels = {}
  for i, p in ipairs(plans) do
    local l = p.layer
    kernels[i] = {
      name = p.name, layer = l.name, spec = l.spec_name, kind = l.kind, variant = l.variant,
      dtype = l.dtype, isa = p.isa.name, inputs = l.inputs, hidden = l.hidden,
      outputs = l.outputs, bias = l.bias, flop_per_token = l.flop_per_token,
      packed_bytes = p.packed_bytes, work_bytes = p.work_bytes,
    }
  end
  return { schema = 1, kernels = kernels }
end

return M
