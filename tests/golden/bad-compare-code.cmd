compare mmul08.idg mmul16.idg --gpu pascal.xml --block 8x8
