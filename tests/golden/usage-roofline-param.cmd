roofline tests/golden/input/kernels.json --gpu pascal.xml --param n=3
