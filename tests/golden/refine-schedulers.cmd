tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --schedulers 2 --groups 6 --log - --format csv
