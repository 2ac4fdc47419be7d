tests/golden/input/mix.idg --gpu tests/golden/input/refined.xml --groups 3 --param n=1 --log - --format csv
