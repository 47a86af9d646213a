--- Slices of a layer: some panels of a stage, copied elsewhere in memory with their biases, and run
--- as a task that begins with them, give the columns that all of the stage gives.
local unit = require 'luaunit'
local support = require 'support'

TestSlices = {}

--- One branch and two, results for the caller and for a stage behind, zeros that are skipped,
--- blocks of k, panels abreast where a CPU fetches nothing; and ragged last panels.
local specs = [[
local some = { { isa = { 'c', 'avx2', 'avx512' } } }
linear 'a' { d_model = 160, d_out = 200, bias = true, build = some }
glu 'b' { variant = 'swiglu', d_model = 160, d_out = 200, bias = true, build = some }
ffn 'c' { variant = 'relu', d_model = 48, d_ff = 304, d_out = 200, bias = true, build = some }
linear 'd' { d_model = 700, d_out = 1230, bias = true, build = { { isa = { 'avx2' } } } }
]]

--- A kernel's file, and its stages over slices of them. Around a copy lie NaNs.
local program = [[
#include KERNEL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;
static float next(void) {
  state = state * UINT64_C(6364136223846793005) + 1;
  return (float)(int32_t)(state >> 32) * 0x1p-31f;
}
static float *numbers(size_t count) {
  float *list = ffn_alloc(count * sizeof *list);
  for (size_t i = 0; i < count; ++i)
    list[i] = next();
  return list;
}
static void *poison(size_t bytes) {
  return memset(ffn_alloc(bytes), 0xff, bytes);
}

typedef struct slice {
  size_t begins, first, last; /* in panels: of the copy, and of the task */
} slice;
static const slice slices[] = {
    {3, 3, 8}, {3, 4, 6}, {2, 2, 8}, {8, 8, SIZE_MAX}, {8, 12, SIZE_MAX}};

static const ffn_choices cpus[] = {
    {4, 4, 0, 0, 1, 1}, {4, 4, 2048, 1024, 1, 0}, {1, 4, 4096, 4096, 2, 0}};

/* Where a column of a row of results is. */
static size_t place(const ffn_stage_walk *walk, size_t rows, size_t row, size_t column) {
  return walk + 1 < walks + forward.stage_count ? ffn_blocked(rows, row, column, walk[1].block)
                                                : row * walk->outputs + column;
}

static int compared, wrong;

/* A stage of some rows, then parts of it. */
static void run_stage(size_t s, const char *packed, size_t rows, const ffn_choices *choice) {
  const ffn_stage_walk *walk = &walks[s];
  const size_t columns = ffn_round_up(walk->outputs, FFN_PANEL), branches = stages[s].branches;
  const size_t panel = walk->inputs * branches * FFN_PANEL * sizeof(float), guard = 4096;
  const size_t room = rows * columns * 2 * sizeof(float), many = walk->inputs + walk->block;
  float *in = numbers(rows * many);
  for (size_t i = 0; i < rows * many; ++i)
    in[i] = SPARSE && i % walk->block % 7 ? 0.0f : in[i];
  float *all = poison(room), *part = poison(room), *expected = poison(room);
  ffn_task task = {.out = all, .out_stride = walk->outputs, .in = in,
      .weights = packed + walk->weights_at, .bias = (const float *)(packed + walk->bias_at),
      .bias_step = columns, .header = packed, .choices = choice, .rows = rows, .last = columns,
      .sum = ffn_alloc(ffn_work_bytes(&SYMBOL, 1, rows)),
      .list = ffn_alloc((walk->inputs + 64) * sizeof(uint32_t))};
  walk->columns(&task);
  for (size_t i = 0; i < sizeof slices / sizeof *slices; ++i) {
    const size_t begins = slices[i].begins * FFN_PANEL, first = slices[i].first * FFN_PANEL;
    const size_t last = slices[i].last < columns / FFN_PANEL ? slices[i].last * FFN_PANEL : columns;
    const size_t bytes = (last - begins) / FFN_PANEL * panel, bias = last - begins;
    char *weights = poison(bytes + 2 * guard), *biases = poison(branches * bias * 4 + 2 * guard);
    memcpy(weights + guard, task.weights + begins / FFN_PANEL * panel, bytes);
    for (size_t b = 0; b < branches; ++b)
      memcpy(biases + guard + b * bias * 4, task.bias + b * columns + begins, bias * 4);
    ffn_task own = task;
    own.out = part, own.begins = begins, own.bias_step = bias, own.first = first, own.last = last;
    own.weights = weights + guard, own.bias = (const float *)(biases + guard);
    memset(part, 0xff, room), memset(expected, 0xff, room);
    for (size_t row = 0; row < rows; ++row)
      for (size_t c = first; c < last; ++c) {
        const size_t at = place(walk, rows, row, c);
        if (c < walk->outputs || s + 1 < forward.stage_count)
          expected[at] = all[at];
      }
    walk->columns(&own);
    wrong += memcmp(part, expected, room) != 0;
    ++compared;
    ffn_free(weights), ffn_free(biases);
  }
  ffn_free(in), ffn_free(all), ffn_free(part), ffn_free(expected);
  ffn_free(task.sum), ffn_free(task.list);
}

int main(void) {
  if (!(ffn_cpu() >> SYMBOL.isa & 1))
    return puts("skipped"), 0;
  ffn_linear chain[FFN_MAX_STAGES] = {{0}};
  ffn_weights weights = {.chain = chain};
  for (size_t s = 0; s < SYMBOL.stage_count; ++s)
    for (size_t b = 0; b < stages[s].branches; ++b) {
      ffn_linear *to = (ffn_linear *)ffn_stage_linear(stages, &weights, s, b);
      to->weight = numbers(stages[s].inputs * stages[s].outputs);
      to->bias = numbers(stages[s].outputs);
    }
  char *packed = ffn_alloc(SYMBOL.packed_bytes);
  SYMBOL.pack(packed, &weights);
  static const size_t some[] = {1, 2, 3, 5};
  for (size_t s = 0; s < forward.stage_count; ++s)
    for (size_t i = 0; i < sizeof some / sizeof *some; ++i)
      for (size_t c = 0; c < sizeof cpus / sizeof *cpus; ++c)
        run_stage(s, packed, some[i], &cpus[c]);
  printf("%d compared, %d wrong\n", compared, wrong);
  return wrong != 0;
}
]]

--- Columns of slices are those of all, in every kernel.
function TestSlices.test_copied_panels()
  local folder = support.folder()
  support.write(folder .. '/my.lua', specs)
  support.write(folder .. '/slices.c', program)
  local result = support.run({ support.root .. '/ffngen', 'generate', 'my.lua', '--out', 'k' },
    { dir = folder })
  support.assert_code(result, 0)
  local kernels, compared = 0, 0
  for _, file in ipairs(support.keys(support.snapshot(folder .. '/k'))) do
    local name = file:match('^([%w_]+_f32_%w+)%.c$')
    if name then
      result = support.run({ 'sh', '-c', ([[
cc -O1 -Ik -DKERNEL='"%s"' -DSYMBOL=%s -DSPARSE=%d slices.c k/ffn.c k/cpu.c -lm -o slices &&
./slices]]):format(file, name, name:find('relu') and 1 or 0) }, { dir = folder, seconds = 100 })
      support.assert_code(result, 0, name .. ': ' .. result.out)
      kernels, compared = kernels + 1, compared + (tonumber(result.out:match('^%d+')) or 0)
    end
  end
  unit.assertEquals(kernels, 10)
  unit.assertTrue(compared > 0)
end
