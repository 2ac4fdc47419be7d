roofline tests/golden/input/nvprof-trace.csv --gpu tests/golden/input/peaks.xml
