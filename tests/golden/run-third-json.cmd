fadd.idg --gpu tests/golden/input/third.xml --param n=2 --groups 1 --group-size 64 --active 1 --format json
