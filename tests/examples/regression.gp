# The errors that regression.c prints, as a picture: regression.txt -> regression.svg
set terminal svg size 720,400 noenhanced font "sans-serif,12" background "white" linewidth 1.4
set output "regression.svg"
set border 3 linecolor "#808080" linewidth 0.7
set tics nomirror scale 0.5 textcolor "#404040"
set grid linecolor "#e0e0e0" linetype 1 linewidth 0.7
set key top right reverse Left samplen 2 textcolor "#202020"
set logscale y
set yrange [*:2]
set xlabel "epoch" textcolor "#404040"
set ylabel "mean squared error" textcolor "#404040"
plot "regression.txt" \
     using 1:3 with lines linecolor "#0072b2" title "10-64-32-1, new samples", \
  "" using 1:2 with lines linecolor "#0072b2" dashtype 2 title "10-64-32-1, its samples", \
  "" using 1:5 with lines linecolor "#d55e00" title "10-64-1 with dropout, new samples", \
  "" using 1:4 with lines linecolor "#d55e00" dashtype 2 title "10-64-1 with dropout, its samples"
