mmul08.idg --gpu pascal.xml --groups 11 --tables
