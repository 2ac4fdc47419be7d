saxpy.idg --gpu pascal.xml --tables
