roofline gpus/pascal.xml --gpu tests/golden/input/kernels.json
