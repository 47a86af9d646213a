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

A spec file is Lua with these words in scope and nothing else:

*schema*(${schema})
	The schema that the file is written in, before the first layer; a file may leave it out.

*ffn* '_name_' { variant, d_model, d_ff, d_out, bias, beta, parameters, sparse, backward, weights, about, build }
	y = act(x Wup^T) Wdown^T, or, where the variant is gated,
	y = (act(x Wgate^T) \* (x Wup^T)) Wdown^T.

*linear* '_name_' { d_model, d_out, bias, backward, weights, about, build }
	y = x W^T.

*mlp* '_name_' { d_model, layers, bias, sparse, backward, weights, about, build }
	A chain of linear layers: layers = { { 64, 'relu' }, { 1 } }.

*glu* '_name_' { variant, d_model, d_out, bias, beta, parameters, backward, weights, about, build }
	y = act(x Wgate^T) \* (x Wup^T).

*selfgate* '_name_' { activation, d_model, bias, beta, parameters, backward, weights, about, build }
	y = x \* act(x Wgate^T).

*activation* '_name_' (function(x) return x \* sigmoid(1.5 \* x) end)
	An activation for the layers of this file, with variants _name_ and _name__glu. The function takes
	x, and p for parameters such as p.beta, or gate and up for both branches. It is made of + - \* /,
	powers with a whole exponent, numbers, and ${words}.

*d_model*
	In a rule for another size: d_ff = d_model \* 8 // 3.

*llama_d_ff* { multiple_of = 256, ffn_dim_multiplier = 1.3 }
	The rule of the Llama models for d_ff; each option may be left out.

Variants of ffn: ${variants}.

The gated ones are those of glu, too. Activations of mlp and selfgate: ${activations}.

_d_out_ of linear may name several outputs of one x: { q = 512, k = 128, v = 128 }, in the order of
their names, or a list { { q = 512 }, { k = 128 } } in its own.

Sizes are whole numbers or rules. _bias_ is false where left out, _d_out_ of ffn is d_model. Where
_sparse_ is true, or left out, kernels may skip the zeros that relu and its like make, as far as the
few tokens of a call share them; false makes kernels that never do. _beta_, of swish, is a number, or "runtime", the default;
_parameters_ say the same of activations with others: { alpha_p = 0.8, alpha_n = 0.8 }. With _backward_ true
the layer can be trained, by functions in a file beside each kernel. _about_ is one line for people.
_weights_ is the format that packed weights are stored in, f32 where left out; or a table by role,
{ gate, up, down }, or of an mlp a list, one for each layer.
_build_ is a list such as { { isa = { 'c', 'avx2' } } }; without it, a layer is built
for ${isas}.

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
