tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --policy lrr --groups 6 --log - --format csv
