roofline tests/golden/input/ncu-flops.csv --gpu tests/golden/input/peaks.xml --gpu tests/golden/input/peaks-9000.xml
