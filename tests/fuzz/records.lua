--- Records of measurements that never were: right in form, with random choices.
local candidates = require 'tune.candidates'
local isas = require 'isa'
local kernel_code = require 'emit.kernel_code'
local pipeline = require 'pipeline'
local plan = require 'plan.plan'
local record_text = require 'tune.record_text'

local M = { cpu = 'some-cpu' }

local function choices(random)
  return {
    -- Nothing is fetched ahead for few rows, or something; weights are far, or near.
    few_ahead = random:chance(50) and 0 or random:range(1, 4096),
    few_l2_ahead = random:chance(50) and 0 or random:range(1, 8192),
    near_bytes = random:chance(50) and 0 or random:range(1, 1 << 20),
    few_rows = random:range(1, 9),
    fetch_ahead = random:range(0, 4096), fetch_level = random:range(1, 3),
    reread = random:range(0, 1),
    main_columns = random:range(1, 128),
    streams = random:range(1, 9),
    rows_per_walk = random:range(1, 300), stream_rows = random:range(1, 64),
    sum_bytes = random:range(1, 1 << random:range(1, 20)),
  }
end

local function judged(random, name, chosen)
  return {
    verdict = name, mean = 1.0, rounds = random:range(1, 99), choices = chosen,
    ratios = { 1.0, random:range(1, 9) },
  }
end

---@param random Random
---@param root string
---@param wanted WantedKernel
local function kernel(random, root, wanted)
  local chosen = choices(random)
  local run = {
    name = 'decode', cells = { '1 cold 1', '16 hot 2' },
    candidates = { judged(random, 'default', chosen), judged(random, 'loses', choices(random)) },
  }
  return {
    name = wanted.name, compiler = 'cc', choices = chosen, from = 'intel',
    code = kernel_code.code(root .. '/', plan.plan(wanted.layer, isas.by_name[wanted.isa],
      candidates.choices(chosen))),
    untried = random:range(0, 9), regimes = random:chance(50) and { run } or {},
  }
end

---@param random Random
---@param root string
---@param path string of a spec
---@param isa string|nil  of this one alone
---@return string
function M.text(random, root, path, isa)
  local kernels = {}
  for i, wanted in ipairs(pipeline.lower(pipeline.read { path }, isa and { isa })) do
    kernels[i] = kernel(random, root, wanted)
  end
  return record_text.of { cpu = M.cpu, kernels = kernels }
end

return M
