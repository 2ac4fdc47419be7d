tests/golden/input/mix.idg --gpu tests/golden/input/refined.xml --schedulers none --groups 1 --tables
