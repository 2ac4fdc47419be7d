# SPDX-License-Identifier: BSD-3-Clause
# Simulated over measured cycles of every launch. tests/validate/fidelity.sh calls it with the variables data
# (what launches.pl prints) and out.
set terminal svg size 760,640 font ',13' background rgb 'white'
set output out
set datafile separator tab
set datafile columnheaders
set logscale xy
set xrange [500:6e6]
set yrange [500:6e6]
set xtics (1e3, 1e4, 1e5, 1e6)
set ytics (1e3, 1e4, 1e5, 1e6)
set format '10^{%T}'
set border 3
set tics nomirror out
set grid linecolor rgb '#e4e4e4' linetype 1
set size square
set xlabel 'measured cycles'
set ylabel 'simulated cycles'
set key top left Left reverse samplen 1

kernels = 'Fan1 Fan2 cuda_compute_step_factor cuda_time_step cuda_compute_flux calculate_temp'
names = '"gaussian Fan1" "gaussian Fan2" "cfd step factor" "cfd time step" "cfd flux" "hotspot"'
colours = '#56B4E9 #0072B2 #E69F00 #009E73 #D55E00 #000000'
points = '6 4 8 10 12 2'
plot x with lines linewidth 1.5 linecolor rgb '#888888' title 'equal', \
     1.3 * x with lines dashtype 2 linecolor rgb '#888888' title '30 % off', \
     x / 1.3 with lines dashtype 2 linecolor rgb '#888888' notitle, \
     for [k = 1:6] data using 'measured':(strcol('kernel') eq word(kernels, k) ? column('simulated') : NaN) with points \
         pointtype int(word(points, k)) pointsize 0.7 linewidth 1.2 linecolor rgb word(colours, k) title word(names, k)
