%% takes: tile, rows, step
% -- One k: a tile holds the weights while activations go by, or the other way round. FFN_SETTLE()
% -- keeps gcc from reading weights again for the second of two rows.
% local settle = step.settles and (rows.guarded and 'if (rows == 2)\n  ' or '') .. 'FFN_SETTLE();' or ''
% if tile.holds == 'weights' then
% for v = step.first, step.last do
% local value, before = step.weights(v)
${before}
const ${step.vec} w${v} = ${value};
% end
${settle}
% for r = 0, tile.rows - 1 do
% local pad = rows.guarded and r > 0 and '  ' or ''
% if rows.guarded and r > 0 then
if (rows > ${r}) {
% end
% if not step.reads then
${pad}const ${step.vec} x${r} = ${step.operand(r)};
% end
% for v = step.first, step.last do
${pad}${step.multiply(r, v)}
% end
% if rows.guarded and r > 0 then
}
% end
% end
% else
% for r = 0, tile.rows - 1 do
% if step.reads then
% -- What multiplies reads it.
% elseif rows.guarded and r > 0 then
const ${step.vec} x${r} = rows > ${r} ? ${step.operand(r)} : ${step.zero};
% else
const ${step.vec} x${r} = ${step.operand(r)};
% end
% end
% for v = step.first, step.last do
% local value, before = step.weights(v)
${before}
const ${step.vec} w${v} = ${value};
${settle}
% for r = 0, tile.rows - 1 do
% if rows.guarded and r > 0 then
if (rows > ${r})
  ${step.multiply(r, v)}
% else
${step.multiply(r, v)}
% end
% end
% end
% end
