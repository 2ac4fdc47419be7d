# SPDX-License-Identifier: BSD-3-Clause
# mixbench on an RTX 2070, a roofline for each type. docs/make/draw.sh calls it with the variables data (of
# tests/validate/mixbench.sh: for each of four types a block for each of three clocks) and out.
set terminal svg size 1000,760 font ',13' background rgb 'white'
set output out
array name[4] = ['single precision', 'double precision', 'half precision', 'integers']
array unit[4] = ['GFLOP/s', 'GFLOP/s', 'GFLOP/s', 'Gop/s']
array per[4] = ['FLOP/byte', 'FLOP/byte', 'FLOP/byte', 'op/byte']
array low[4] = [80, 30, 150, 80]
array high[4] = [25000, 800, 50000, 25000]
array base[4]
array fast[4]

# Before ranges are set, which would hide values from stats.
stats data index 0 using ($3 / $1) nooutput
memory = STATS_max
do for [t = 1:4] {
    stats data index 3 * (t - 1) using 3 nooutput
    base[t] = STATS_max
    stats data index 3 * (t - 1) + 2 using 3 nooutput
    fast[t] = STATS_max
}

set logscale xy
set border 3
set tics nomirror out
set grid linecolor rgb '#e4e4e4' linetype 1
set xrange [0.1:600]
set xtics (0.1, 1, 10, 100)
set multiplot layout 2, 2 margins 0.1, 0.985, 0.08, 0.95 spacing 0.095, 0.125
do for [t = 1:4] {
    set print $base
    print low[t] / memory, low[t]
    print base[t] / memory, base[t]
    print 600, base[t]
    set print $fast
    print base[t] / memory, base[t]
    print fast[t] / memory, fast[t]
    print 600, fast[t]
    unset print
    set yrange [low[t]:high[t]]
    set title name[t] offset 0, -0.6
    set xlabel 'operational intensity ('.per[t].')' offset 0, 0.4
    set ylabel unit[t] offset 1, 0
    set label 1 sprintf('%.0f GB/s', memory) at 2.4 * low[t] / memory, 1.9 * low[t] left font ',11'
    set label 2 sprintf('1410 MHz: %.0f', base[t]) at 550, 0.76 * base[t] right font ',11'
    set label 3 sprintf('1829 MHz: %.0f', fast[t]) at 550, 1.3 * fast[t] right font ',11'
    unset key
    if (t == 2) { set key bottom right Left reverse samplen 2 width -2 }
    plot $base with lines linewidth 2 linecolor rgb '#000000' title 'roof at the base clock', \
         $fast with lines linewidth 1.3 dashtype 2 linecolor rgb '#000000' title 'roof at 1829 MHz', \
         data index 3 * (t - 1) using 1:2 with points pointtype 6 pointsize 0.5 linewidth 1.2 linecolor rgb '#D55E00' title 'measured'
}
unset multiplot
