dfma.idg --gpu v100.xml --param ilp=2 --tables
