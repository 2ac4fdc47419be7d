tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --policy gto --groups 6 --log - --format csv
