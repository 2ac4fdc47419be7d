tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --overheads on --measured 0.0025 --format json
