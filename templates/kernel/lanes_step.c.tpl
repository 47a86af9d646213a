%% takes: lanes, isa, inputs, plus, rows, branches, weight, multiply
% -- One k of a chain of some outputs, with a token in each lane.
% for v = 0, lanes.vectors - 1 do
const ${isa.vec} x${v} = ${load(plus(inputs, { { v * isa.lanes, '' } }))};
% end
% for r = 0, rows - 1 do
% local pad = r >= branches and '  ' or ''
% if r >= branches and r % branches == 0 then
if (outputs > ${r // branches}) {
% end
${pad}const ${isa.vec} w${r} = ${splat(weight(r))};
% for v = 0, lanes.vectors - 1 do
${pad}${multiply(r, v)}
% end
% if r >= branches and r % branches == branches - 1 then
}
% end
% end
