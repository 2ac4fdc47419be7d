roofline tests/golden/input/nvprof-trace.csv tests/golden/input/ncu.csv --gpu tests/golden/input/peaks.xml --format csv
