roofline tests/golden/input/nvprof.csv --gpu tests/golden/input/peaks.xml --launches apart
