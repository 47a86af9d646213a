ffngen(1) "ffngen ${version}"

# NAME

ffngen - feed-forward kernels with fixed sizes, as plain C that you own

# SYNOPSIS

*ffngen* _command_ [_options_]++
*ffngen* *--help* | *--version*

# DESCRIPTION

*ffngen* writes feed-forward layers of neural networks as C code that you own. You describe each
layer in a spec: a file with a few lines of Lua. For each layer *ffngen* writes one C file for each
instruction set, and beside these files a small runtime and a self-check. The folder compiles with
any C11 compiler, without flags. The C code is under 0BSD or MIT-0.

# COMMANDS

Each command has a page, such as *ffngen-generate*(1). *ffngen help* _command_ shows the same page.
% for _, verb in ipairs(verbs) do

*${verb.name}*
	${verb.about}
% end

# OPTIONS

*-h*, *--help*
	Print a summary. Behind a command: print the page of the command.

*-v*, *--version*
	Print the versions of *ffngen*, of its ABI, layout and spec schema.

# SPECS

A spec file is Lua that knows the words of this section and no others. A layer is a kind, a name of
your own, and fields. *ffngen spec* prints the same.

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

Activations of ${manual.of_plain} are plain. Variants of ${manual.of_variants} are plain or gated.
Variants of ${manual.of_gated} are gated. The words in brackets are parameters.

% for _, line in ipairs(manual.activations) do
- ${line}
% end

# EXIT STATUS

% for _, exit in ipairs(exits) do
${exit.name}
	${exit.meaning}

% end

# EXAMPLES

```
$ cat my.lua
schema(${schema})
ffn 'my_layer' { variant = 'swiglu', d_model = 512, d_ff = d_model * 8 // 3 }
$ ffngen generate my.lua --out kernels/
$ cd kernels && cc -O2 -I. *.c -lm -o selfcheck && ./selfcheck
```

The kernels of ffngen's own specs are installed as a library. A program links them:

```
$ ffngen list
$ cc main.c $(pkg-config --cflags --libs ffn) -o main
```

# SEE ALSO

${pages_of_verbs}, *cc*(1), *pkg-config*(1)

The manual of the C API is the first comment of _ffn.h_.
