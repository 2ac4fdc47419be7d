mmul08.idg --gpu pascal.xml --active 1.5
