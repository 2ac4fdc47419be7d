tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --cus all --groups 31 --param n=1 --group-size 32 --active 1 --log - --format csv
