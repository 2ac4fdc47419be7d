# SPDX-License-Identifier: BSD-3-Clause
# GPP on a V100, version by version, under two ceilings. docs/make/draw.sh calls it with the variables
# data (version, TFLOP/s of both problems, both ceilings) and out.
set terminal svg size 900,520 font ',13' background rgb 'white'
set output out
stats data using 4 nooutput
peak = STATS_max
stats data using 5 nooutput
custom = STATS_max
stats data using 2 nooutput
best = STATS_max

set xlabel 'version'
set ylabel 'performance (TFLOP/s)'
set xrange [-0.4:9.1]
set yrange [0:7.4]
set border 3
set tics nomirror out
set grid ytics linecolor rgb '#e4e4e4' linetype 1
set key at graph 0.99, 0.12 right bottom Left reverse samplen 3
set label sprintf('fp64 at 1312 MHz: %.2f TFLOP/s', peak) at -0.3, peak + 0.22 left
set label sprintf('with 58 %% multiply-adds: %.2f TFLOP/s', custom) at -0.3, custom + 0.22 left
set label sprintf('%.0f %%', 100 * best / peak) at 8.48, (custom + best) / 2 left textcolor rgb '#444444'
set label sprintf('%.0f %%', 100 * best / custom) at 8.12, (custom + best) / 2 right textcolor rgb '#444444'
set arrow from 8.4, peak to 8.4, best size screen 0.008,20 heads filled linecolor rgb '#666666'
set arrow from 8.2, custom to 8.2, best size screen 0.008,20 heads filled linecolor rgb '#666666'

plot peak with lines linewidth 2 linecolor rgb '#000000' notitle, \
     custom with lines linewidth 1.5 dashtype 2 linecolor rgb '#000000' notitle, \
     data using 0:2:xtic(1) with linespoints pointtype 7 pointsize 0.8 linewidth 1.5 linecolor rgb '#0072B2' title 'Si-214', \
     data using 0:3 with linespoints pointtype 4 pointsize 0.8 linewidth 1.5 dashtype 3 linecolor rgb '#D55E00' title 'Si-510'
