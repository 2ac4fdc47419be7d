tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --contention on --group-size 256 --groups 3 --tables
