% -- One k: a tile holds the weights while activations go by, or the other way round. FFN_SETTLE()
% -- keeps gcc from reading weights again for the second of two rows.
% local settle = settles and (guards and 'if (rows == 2)\n  ' or '') .. 'FFN_SETTLE();' or ''
% if tile.holds == 'weights' then
% for v = 0, tile.vectors - 1 do
const ${isa.vec} w${v} = ${weights(v, step.ahead)};
% end
${settle}
% for r = 0, tile.rows - 1 do
% local pad = guards and r > 0 and '  ' or ''
% if guards and r > 0 then
if (rows > ${r}) {
% end
${pad}const ${isa.vec} x${r} = ${splat(activation(r, step.ahead))};
% for v = 0, tile.vectors - 1 do
${pad}${sum(r, v, step.chain)} = ${fma('x' .. r, 'w' .. v, sum(r, v, step.chain))};
% end
% if guards and r > 0 then
}
% end
% end
% else
% for r = 0, tile.rows - 1 do
% if guards and r > 0 then
const ${isa.vec} x${r} =
    rows > ${r} ? ${splat(activation(r, step.ahead))} : ${zero()};
% else
const ${isa.vec} x${r} = ${splat(activation(r, step.ahead))};
% end
% end
% for v = 0, tile.vectors - 1 do
const ${isa.vec} w${v} = ${weights(v, step.ahead)};
${settle}
% for r = 0, tile.rows - 1 do
% if guards and r > 0 then
if (rows > ${r})
  ${sum(r, v, step.chain)} = ${fma('x' .. r, 'w' .. v, sum(r, v, step.chain))};
% else
${sum(r, v, step.chain)} = ${fma('x' .. r, 'w' .. v, sum(r, v, step.chain))};
% end
% end
% end
% end
