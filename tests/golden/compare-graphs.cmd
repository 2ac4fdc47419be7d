compare mmul08.idg mmul08-conflict.idg --gpu pascal.xml --groups 320
