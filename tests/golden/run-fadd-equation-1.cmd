fadd.idg --gpu fermi.xml --param n=1000 --groups 1 --group-size 64 --active 1 --tables
