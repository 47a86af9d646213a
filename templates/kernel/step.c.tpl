% -- One k: a tile holds the weights while activations go by, or the other way round. FFN_SETTLE()
% -- keeps gcc from reading weights again for the second of two rows.
% local settle = settles and (guards and 'if (rows == 2)\n  ' or '') .. 'FFN_SETTLE();' or ''
% if tile.holds == 'weights' then
% for v = 0, tile.vectors - 1 do
% local value, before = weights(v, step.ahead)
${before}
const ${isa.vec} w${v} = ${value};
% end
${settle}
% for r = 0, tile.rows - 1 do
% local pad = guards and r > 0 and '  ' or ''
% if guards and r > 0 then
if (rows > ${r}) {
% end
${pad}const ${isa.vec} x${r} = ${operand(r, step.ahead)};
% for v = 0, tile.vectors - 1 do
${pad}${multiply(r, v, step.chain)}
% end
% if guards and r > 0 then
}
% end
% end
% else
% for r = 0, tile.rows - 1 do
% if guards and r > 0 then
const ${isa.vec} x${r} =
    rows > ${r} ? ${operand(r, step.ahead)} : ${zero()};
% else
const ${isa.vec} x${r} = ${operand(r, step.ahead)};
% end
% end
% for v = 0, tile.vectors - 1 do
% local value, before = weights(v, step.ahead)
${before}
const ${isa.vec} w${v} = ${value};
${settle}
% for r = 0, tile.rows - 1 do
% if guards and r > 0 then
if (rows > ${r})
  ${multiply(r, v, step.chain)}
% else
${multiply(r, v, step.chain)}
% end
% end
% end
% end
