roofline tests/golden/input/kernels.json --gpu tests/golden/input/peaks.xml --format gnuplot --discounted gmem
