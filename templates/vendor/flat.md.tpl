## Other languages

`ffn_flat.h` has the layers as plain functions, for languages that translate headers: prototypes,
an enum of errors, sizes as constants. It stands alone: `ffn.h` need not be translated. What it
declares is in ${layout == 'files' and 'the files above' or '`ffn.c`'}, compiled into a library:

```sh
cc -O2 ${selfcheck and ('-D%s_NO_MAIN '):format(PREFIX) or ''}-c *.c && ar crs lib${prefix}.a *.o
```

| language | how it calls them |
| --- | --- |
| Rust | `bindgen ffn_flat.h -o flat.rs`, or an `extern "C"` block of those that are called; `-l static=${prefix}` |
| Go | `#cgo LDFLAGS: -L. -l${prefix}` and `#include "ffn_flat.h"` in front of `import "C"` |
| Zig | `@cImport(@cInclude("ffn_flat.h"))`; `-I. -L. -l${prefix} -lc` |
| C# | ClangSharp's `ClangSharpPInvokeGenerator`, and a shared library: `cc -shared -fPIC` |

% for _, l in ipairs(layers) do
- `ffn_${l.spec}_run()`, `ffn_${l.spec}_add()`${weights and '' or (', `ffn_%s_pack()`'):format(l.spec)}${l.training and (', `ffn_%s_run_train()`, `ffn_%s_grad()`'):format(l.spec, l.spec) or ''}
% end

The instruction set is chosen inside. Functions that end in `_threads` take a function that runs
tasks on the host's threads. What is wrong with an argument is what they return, in words by
`ffn_flat_text()`: nothing was written then, and there is no assert to abort.
