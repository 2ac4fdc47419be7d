tests/golden/input/mix.idg --gpu tests/golden/input/no-loads.xml --groups 64 --tables
