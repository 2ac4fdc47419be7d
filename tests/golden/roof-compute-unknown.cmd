tests/golden/input/mix.idg --gpu tests/golden/input/partly.xml --groups 64 --tables
