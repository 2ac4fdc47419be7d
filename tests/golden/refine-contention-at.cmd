tests/golden/input/mix.idg --gpu tests/golden/input/capable.xml --contention on --groups 3 --tables
