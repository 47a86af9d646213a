--- The layers that seeded defects of training are tried on: portable C alone, since defects that
--- make instruction sets differ are met elsewhere.
local build = { { isa = { 'c' } } }

ffn 'gated_with_tails' {
  variant = 'swiglu', d_model = 37, d_ff = 150, d_out = 31, bias = true, backward = true,
  build = build,
}
ffn 'parameter' { variant = 'swish', d_model = 24, d_ff = 40, backward = true, build = build }
selfgate 'input_gate' { activation = 'silu', d_model = 24, backward = true, build = build }
ffn 'drops' {
  variant = 'relu', d_model = 24, d_ff = 41, backward = true, build = build,
  dropout = { hidden = 0.25, output = 0.5 },
}
mlp 'chain' {
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
  backward = true, build = build,
}
ffn 'kink' { variant = 'relu', d_model = 5, d_ff = 17, backward = true, build = build }

-- Several outputs, beside one of each width, and of all.
local function outputs(name, d_out)
  linear(name) { d_model = 21, d_out = d_out, bias = true, backward = true, build = build }
end
outputs('outputs', { k = 7, q = 131, v = 7 })
outputs('outputs_q', 131)
outputs('outputs_kv', 7)
outputs('outputs_all', 145)

-- Two learned parameters; a function of both branches, which a spec tells.
activation 'leaning' (function(gate, up, p)
  return (gate - p.lean) * sigmoid(gate) * (up + p.lift)
end)
glu 'both' { variant = 'leaning', d_model = 24, d_out = 40, backward = true, build = build }
