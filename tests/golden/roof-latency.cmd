mmul08.idg --gpu pascal.xml --active 4 --tables
