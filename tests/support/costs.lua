--- What tests are guessed to take, in seconds of a processor of a quick machine (a quiet Zen 4):
--- the test, and what is compiled for it. A wrong guess is corrected while tests run, and costs
--- nothing but the order in which time is given. A test without one is a small one.
local M = {}

local small = { test = 6, compile = 2 }

local known = {
  -- Ways of compiling all awkward kernels.
  ['gcc/bits_full'] = { 80, 90 }, ['gcc_o1/bits'] = { 60, 130 }, ['gcc_o2/bits'] = { 60, 200 },
  ['gcc_o3_fma/bits'] = { 60, 240 }, ['clang/bits'] = { 60, 210 },
  ['clang_asan/suite_1'] = { 160, 240 }, ['clang_asan/suite_2'] = { 160, 0 },
  ['aarch64_full/bits'] = { 120, 130 }, ['aarch64_full/selfcheck'] = { 20, 0 },
  ['aarch64_full/suite_1'] = { 150, 0 }, ['aarch64_full/suite_2'] = { 150, 0 },
  ['gcc/suite_full_1'] = { 150, 60 }, ['gcc/suite_full_2'] = { 150, 60 }, pthreadpool = { 60, 20 },
  -- And a few layers.
  ['gcc/suite_1'] = { 22, 90 }, ['gcc/suite_2'] = { 22, 0 }, ['gcc/suite_others'] = { 44, 0 },
  ['gcc_criterion/suite'] = { 40, 30 },
  ['gcc_trained/gradients'] = { 40, 100 }, ['gcc_trained/derivatives'] = { 20, 0 },
  ['gcc_trained/bits'] = { 20, 0 },
  ['clang_asan_trained/gradients'] = { 40, 60 }, ['clang_tsan_trained/gradients'] = { 40, 40 },
  ['clang_msan_trained/c'] = { 20, 40 }, ['clang_msan_trained/avx2'] = { 20, 0 },
  ['clang_msan/c'] = { 30, 40 }, ['clang_msan/avx2'] = { 30, 0 },
  ['clang_tsan/threads'] = { 40, 40 }, ['gcc/valgrind'] = { 120, 0 },
  ['clang_trained/bits'] = { 10, 40 }, ['clang_trained/gradients'] = { 30, 0 },
  ['aarch64_trained/bits'] = { 20, 30 }, ['aarch64_trained/gradients'] = { 60, 0 },
  -- The generator.
  unused_full = { 60, 0 },
  -- Folders, installation, pages.
  vendor_layouts_full = { 60, 0 }, vendor_products = { 40, 0 }, vendor_unity = { 40, 0 },
  vendor_builds = { 30, 0 }, vendor_cpp = { 20, 0 }, vendor_readme = { 30, 0 },
  vendor_dispatch = { 30, 0 }, vendor_flat = { 30, 0 }, vendor_together = { 30, 0 },
  vendor_freestanding = { 30, 0 }, vendor_embedded = { 30, 0 }, vendor_training = { 40, 0 },
  pages = { 60, 0 }, python = { 60, 0 }, python_install = { 40, 0 }, loops = { 40, 0 },
  pack_origin = { 40, 0 }, fuzz_c = { 30, 20 }, hpp = { 20, 0 }, hpp_moe = { 9, 0 },
  mpi = { 20, 10 },
  mpi_asan = { 40, 0 }, import_packed = { 30, 0 }, import_gguf = { 30, 0 },
  import_mixtures = { 15, 0 },
  tune = { 120, 0 }, ['bench/training'] = { 60, 20 }, cxx = { 60, 0 },
  openmp_gcc = { 20, 0 }, openmp_clang = { 20, 0 },
}
for part = 1, 6 do known['generator_full_' .. part] = { 145, 0 } end
for _, name in ipairs { 'gcc', 'gcc_fma', 'clang', 'clang_fma', 'aarch64', 'clang_aarch64',
  'riscv64', 'windows' } do
  known['flags/' .. name] = { 60, 0 }
end

--- A platform is one folder of small layers, compiled and run.
local platform = { test = 20, compile = 0 }

---@return { test: number, compile: number }
function M.of(name)
  local cost = known[name]
  if cost then return { test = cost[1], compile = cost[2] } end
  return name:match('^platforms/') and platform or small
end

--- Which names have a guess of their own.
M.known = known

--- On the wall of a quick machine: the linters; what the fuzzer compiles before it begins; the
--- tests of defects without any, before the first is tried, and the last ones, which end what they
--- began.
M.lint = 60
M.fuzz = 20
M.mutants_begin = 40
M.mutants_end = 40

return M
