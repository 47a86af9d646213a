set terminal svg size 960,320 noenhanced font "sans-serif,12" background "white" linewidth 1.4
set output "plot.svg"
% for i, curve in ipairs(curves) do
$curve${i} << EOD
${curve.rows}
EOD
% end
set style line 1 linecolor "#0072b2"
set style line 2 linecolor "#d55e00"
set style line 3 linecolor "#009e73"
set style line 4 linecolor "#cc79a7"
set style line 5 linecolor "#e69f00"
set style line 6 linecolor "#56b4e9"
set style line 7 linecolor "#000000"
set border 3 linecolor "#808080" linewidth 0.7
set tics nomirror scale 0.5 textcolor "#404040"
set grid linecolor "#e0e0e0" linetype 1 linewidth 0.7
set key top left reverse Left samplen 1.5 textcolor "#202020"
set xrange [${from}:${to}]
set offsets graph 0, 0, 0.04, 0.04
set bmargin at screen 0.1
set tmargin at screen 0.9
set title offset 0, -0.5
set multiplot
% for _, panel in ipairs(panels) do
set lmargin at screen ${panel.left}
set rmargin at screen ${panel.right}
set title "${panel.title}" textcolor "#202020"
set yrange [${panel.y}]
%   if panel.logarithmic then
set logscale y
%   end
plot \
%   for i, curve in ipairs(curves) do
  $curve${i} using 1:${panel.column} with lines linestyle ${(i - 1) % 7 + 1} dashtype ${(i - 1) // 7 % 5 + 1} title "${panel.key(curve)}", \
%   end

% end
unset multiplot
