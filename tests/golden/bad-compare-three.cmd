compare mmul08.idg mmul16.idg saxpy.idg --gpu pascal.xml
