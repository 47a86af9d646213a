ffngen(1) "ffngen ${version}"

# NAME

ffngen - feed-forward kernels with fixed sizes, as plain C that you own

# SYNOPSIS

*ffngen* _command_ [_options_]++
*ffngen* *--help* | *--version*

# DESCRIPTION

*ffngen* reads layers from files of a few lines of Lua and writes a kernel in C for each layer and
instruction set, with a runtime of a few files and a self-check. The folder compiles with any C11
compiler, without flags; what is written is under 0BSD or MIT-0.

# COMMANDS
% for _, command in ipairs(commands) do

## ${command.name}

```
${command.help}
```
% end

# SPECS

A spec file is Lua with the words of this section in scope and nothing else. A layer is a kind, a
name of your own, and fields. *ffngen spec* shows the same.

## Kinds
% for _, kind in ipairs(manual.kinds) do

*${kind.name}* '_name_' { ${kind.fields} }
	${kind.computes}
% end

## Fields
% for _, field in ipairs(manual.fields) do

*${field.name}*
	${field.meaning}
% end

## Other words
% for _, word in ipairs(manual.words) do

*${word.name}*
	${word.meaning}
% end

## Activations

Those of ${manual.of_plain} are plain. Variants of ${manual.of_variants} are plain or gated, those of
${manual.of_gated} gated; what stands in brackets are parameters.

% for _, line in ipairs(manual.activations) do
- ${line}
% end

# EXIT STATUS

0 ok, 1 failure, 2 usage, 3 *check* found a difference, 4 bad input. Unless it is 0, nothing was
written.

# EXAMPLES

```
$ cat my.lua
schema(${schema})
ffn 'my_layer' { variant = 'swiglu', d_model = 512, d_ff = d_model * 8 // 3 }
$ ffngen generate my.lua --out kernels/
$ cd kernels && cc -O2 -I. *.c -lm -o selfcheck && ./selfcheck
```

A program that uses the kernels of ffngen's own specs, which are installed as a library:

```
$ ffngen list
$ cc main.c $(pkg-config --cflags --libs ffn) -o main
```

# SEE ALSO

*cc*(1), *pkg-config*(1); the manual of the C API is the first comment of _ffn.h_.
