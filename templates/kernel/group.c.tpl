% -- A group of columns of straight-line code: its sums, then their epilogue from registers.
const float *a = ${input};
const ${format.c_type} *w = &packed->${s.stage.name}[${tile.first // 16}][0][0][0];
${loop()}
% for r = 0, tile.rows - 1 do
% for v = 0, tile.vectors // branches - 1 do
${value(r, v)}
% end
% end
