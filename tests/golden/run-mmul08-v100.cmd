mmul08.idg --gpu v100.xml --tables
