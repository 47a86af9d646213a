<!-- SPDX-License-Identifier: ${license} -->
<!-- ${made} -->
# ${prefix}: feed-forward kernels

% for _, l in ipairs(layers) do
- `ffn_${l.spec}()`: ${l.title}${l.about ~= '' and (' (' .. l.about .. ')') or ''}
% end

These files are yours. They need no library${freestanding and ', no libc but stddef.h and stdint.h' or ''}, no flag and no build system:

```sh
% if selfcheck then
cc -O2 *.c -lm -o selfcheck && ./selfcheck  # checks every kernel that this CPU runs
cc -O2 -D${PREFIX}_EXAMPLE *.c -lm -o example && ./example  # example_main.c
% elseif header_only then
cc -O2 -D${PREFIX}_IMPLEMENTATION -x c -c ffn.h -o ${prefix}.o
% else
cc -O2 -c *.c
% end
```

% if selfcheck then
Exactly one file has a main(): selfcheck.c; with `-D${PREFIX}_EXAMPLE` it is example_main.c; with
`-D${PREFIX}_NO_MAIN` none, for a product that compiles `*.c`; ${without_pack and 'it' or '`-D' .. PREFIX .. '_NO_PACK`'} also leaves out pack() and
unpack(), which weights ${without_pack and 'in the code' or 'that are packed already'} do not need${training and ', and training' or ''}; `-D${PREFIX}_NO_ADD` leaves out
add(). Only the self-check and its reference need libm; `-D${PREFIX}_NO_MAIN` leaves out both, with
`-D${PREFIX}_REFERENCE` the self-check alone. Where a build compiles every file of a folder and takes
no such flag (Arduino, PlatformIO, Swift packages), vendor with `--no-selfcheck`. A product ${header_only and 'includes' or 'needs'}
no more than:
% else
No file has a main(), or needs libm: for builds that compile every file of a folder. The self-check,
its reference and the example come without `--no-selfcheck`, in a folder of their own. ${without_pack and 'There is no pack().' or '`-D' .. PREFIX .. '_NO_PACK`'}
${without_pack and '' or 'leaves out pack() and unpack(), which weights that are packed already do not need' .. (training and ', and training' or '') .. '; '}`-D${PREFIX}_NO_ADD` leaves out add(). A product ${header_only and 'includes' or 'needs'} no more than:
% end

% if header_only then
```c
#define FFN_IMPLEMENTATION /* in one .c or .cpp file */
#include "ffn.h"
```
% else
% for _, file in ipairs(product_files) do
    ${file}
% end
% end

CMakeLists.txt (add_subdirectory, find_package), meson.build${ninja and ', ' .. prefix .. '.ninja' or ''} and ${prefix}.pc.in are
there to be used or deleted; .gitattributes keeps line ends as they are, and `--check` content.

% if layout == 'files' then
Each .c file is a translation unit of its own: kernels use the same short names for themselves, so no
file may `#include` two of them. The files for CMake and Meson keep them apart in a unity build; in a
target of the product's, CMake's source property `SKIP_UNITY_BUILD_INCLUSION` does. For one file to
put beside others, vendor with `--single-file`.
% else
All names at file scope begin with `${prefix}_` or `${PREFIX}_`: the file may be a part of a larger
one, as unity builds make it, in C.
% end

## Use

% for i, lines in ipairs(usages) do
```c
% if i == 1 then
#include "ffn.h"

% end
% for _, line in ipairs(lines) do
${line}
% end
```

% end
% if #layers > 1 and not freestanding and not weights then
The layers of a model are read fastest from one piece of memory, small ones above all:

```c
const ffn_kernel *first = ffn_${layers[1].spec}(), *second = ffn_${layers[2].spec}();
const size_t bytes = first->packed_bytes + second->packed_bytes; /* of all layers */
ffn_arena arena = {ffn_alloc(bytes), bytes, 0};
void *packed = ffn_arena_alloc(&arena, first->packed_bytes); /* and so on; at the end: */
ffn_free(arena.memory);
```

% end
ffn.h says what each function does and promises. Any number of threads may run a kernel at once,
each with its own work memory. The last argument of run() lends it threads${#adapters > 0 and ': see' or '.'}
% if #adapters > 0 then
`${table.concat(adapters, '`, `')}`.
% end
% if cpp then

`${cpp}` is the same for C++17: sizes are checked, memory frees itself, nothing throws.
% if training then
So is `ffn_train.hpp` for training.
% end
% if #mixtures > 0 then
So is `ffn_moe.hpp` for mixtures of experts.
% end
% end
% if #mixtures > 0 then

`ffn_moe_run()` runs a mixture of experts in one call${header_only and '' or ': `ffn_moe.h` says how, `moes.h` has them'}.

% for _, m in ipairs(mixtures) do
- `ffn_moe_${m.name}`: ${m.rule.experts} experts, of which a token takes ${m.rule.top_k}
% end
% end
% if file then

`${prefix}_file.h` maps a file of packed weights, as ffn-pack writes it of a whole model, and gives a
layer's weights to its kernel.
% end
% if flat then

${flat.page}
% end
% if dispatch then

No variable is ever written but one pointer per layer: the kernel that was chosen, published
atomically. To choose by yourself, without any: `ffn_find_layer(name, mask)`; `ffn_cpu()` gives the
mask of what this CPU and its operating system allow, bit `1 << FFN_ISA_...`.
% if tiles then

Call `ffn_amx()` first, once in a program: it asks the system to allow the kernels with AMX.
% end
% else

No variable is ever written, and the CPU is not asked${selfcheck and ': `ffn_cpu()`, in' or '.'}
% if selfcheck then
${layout == 'files' and 'cpu.c' or 'selfcheck.c'}, tells what it allows.
% end
% end
% if freestanding then

Freestanding: bytes are copied by `FFN_MEMCPY(to, from, bytes)`, conditions are checked by
`FFN_ASSERT(condition)`: yours where you define them ${header_only and 'before the implementation' or 'for these files'}. gcc
(of x86-64, Arm and Cortex-M) and clang call nothing else for them, at -O1 to -O3 and -Os, but what
is in libgcc; no memcpy, memmove, memset or memcmp, which a compiler may call in any program.
% end

% if training then
## Train

% for _, l in ipairs(trained) do
- `ffn_${l.spec}_training()`: ${l.training.packed_bytes} bytes packed, ${l.training.saved_bytes} bytes saved for each token,
  ${l.training.work_bytes} bytes of work memory on one thread.
% end

```c
#include "${layout == 'files' and 'ffn_train.h' or 'ffn.h'}"

% for _, line in ipairs(training_usage) do
${line}
% end
```

A gradient that is NULL is not computed and costs nothing. `packed` is what run() takes, too, and is
packed anew after each step. ${layout == 'files' and '`ffn_train.h`' or '`ffn.h`'} says what each function does and promises.
${layout == 'files' and 'A program that links a library of these files, and trains nothing, takes none of it; `-D' .. PREFIX .. '_NO_TRAIN`' or '`-D' .. PREFIX .. '_NO_TRAIN`'}
leaves training out.

% end
## Sizes and cost

% for _, l in ipairs(layers) do
`ffn_${l.spec}()`: x [tokens][${l.inputs}] to y [tokens][${l.outputs}], ${l.flop} flop per token, ${l.weight_count}
weights, ${l.packed_bytes} bytes packed.

| kernel | work memory per thread, bytes: one token | ${l.max_tokens > 0 and l.max_tokens or 'any number'} | code, bytes (estimated) |
| --- | ---: | ---: | ---: |
% for _, k in ipairs(l.kernels) do
| ${k.name} | ${k.one_token} | ${k.work_bytes} | ${k.code.text}${k.code.text_fma and (', or %d with an FMA instruction'):format(k.code.text_fma) or ''} |
% end

% end
## Bound

For finite results |y - exact| is at most the bound that `ffn_reference()` computes${selfcheck and ', in' or ''}
${selfcheck and (layout == 'files' and 'reference.c' or 'selfcheck.c') .. ',' or '(without `--no-selfcheck`)'} from the roundings of each stage. The self-check asserts it, and that all kernels of
a layer give the same bits${training and "; the same of gradients, whose bound is `ffn_reference_grad()`'s" or ''}.

% for _, l in ipairs(layers) do
% if not l.bounded then
`ffn_${l.spec}()` has no such bound yet, and the reference gives an infinite one${selfcheck and ': of its kernels the\nself-check compares bits alone, of all instruction sets, of rows alone and in batches' or ''}.

% end
% if l.integers then
% if not l.integers.everywhere then
`ffn_${l.spec}()` sums integers in some stages, exactly: one result on every machine.
% elseif selfcheck then
`ffn_${l.spec}()` sums integers exactly: one result on every machine. `ffn_reference_s8()` computes
it by plain loops; the self-check asserts that all kernels give its bits.
% else
`ffn_${l.spec}()` sums integers exactly: one result on every machine.
% end
% if l.integers.taken then
A stage takes what such sums give. There the bound is tens of times the values${selfcheck and ': the self-check tells it\nbeside the error, and does not assert it' or ''}.
% end

% end
% end
% for _, l in ipairs(layers) do
% for _, line in ipairs(l.bounds) do
- `ffn_${l.spec}()`, ${line}
% end
% end

## Remake

${remake.where}:

    ${remake.command}

`--check` tells whether the files are what this makes (exit 3 if not). Nothing is owed to the makers
of ffngen.
