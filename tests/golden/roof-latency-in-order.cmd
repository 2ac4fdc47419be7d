mmul16.idg --gpu v100.xml --active 1 --measured 3.5 --tables
