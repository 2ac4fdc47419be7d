mmul16-conflict.idg --gpu pascal.xml --groups 64 --tables
