# SPDX-License-Identifier: BSD-3-Clause
# By how many points each rule mends the mean error of each set of measured rows, or harms it. tests/validate/attribution.sh calls
# it with the variables data (what attribution.pl prints for charts), sets and rules (how many) and out.
set terminal svg size 900,640 font ',12' background rgb 'white'
set output out
set datafile separator tab
set xrange [-0.5:sets - 0.5]
set yrange [rules - 0.5:-0.5]
set xtics rotate by -35 nomirror out scale 0
set ytics nomirror out scale 0
set border 0
set cbrange [-15:15]
set palette defined (-15 '#D55E00', 0 '#FFFFFF', 15 '#0072B2')
set cblabel 'points: mends (blue), harms (red)'
set title 'What each rule does to the mean error of each set'
plot data using 1:2:5:xtic(3):ytic(4) with image pixels notitle, \
     data using 1:2:(abs($5) < 0.05 ? '' : sprintf('%.1f', $5)) with labels font ',10' notitle
