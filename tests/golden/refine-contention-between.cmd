tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --contention on --group-size 96 --groups 3 --tables
