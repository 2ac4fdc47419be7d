roofline tests/golden/input/rocprof.csv --gpu tests/golden/input/peaks.xml
