roofline tests/golden/input/kernels.json --gpu tests/golden/input/peaks.xml --gpu tests/golden/input/peaks-9000.xml
