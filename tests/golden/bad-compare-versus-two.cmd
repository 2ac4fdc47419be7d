compare mmul08.idg mmul16.idg --gpu pascal.xml --versus saxpy.idg --active 1
