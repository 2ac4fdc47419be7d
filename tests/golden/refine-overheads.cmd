tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --overheads on --groups 9 --group-size 32 --param n=1 --log - --format csv
