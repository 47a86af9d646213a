% -- One k: each vector of weights is read once and meets the activation of every row.
% for v = 0, tile.vectors - 1 do
const ${isa.vec} w${v} = ${weights(v, step.ahead)};
% end
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
