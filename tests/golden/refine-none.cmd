tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --groups 6 --log - --format csv
