mmul08.idg --gpu pascal.xml --tables
