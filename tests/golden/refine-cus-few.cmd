tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --cus all --groups 2 --tables
