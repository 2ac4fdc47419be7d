tests/golden/input/chain --gpu tests/golden/input/toy --format csv
