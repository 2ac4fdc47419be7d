tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --order program --groups 6 --log - --format csv
