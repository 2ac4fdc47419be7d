mmul08-conflict.idg --gpu pascal.xml --tables
