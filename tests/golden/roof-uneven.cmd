fadd.idg --gpu pascal.xml --groups 31 --tables
