roofline - --gpu tests/golden/input/peaks.xml --kernel blur* <tests/golden/input/kernels.json
