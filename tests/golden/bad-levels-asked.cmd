saxpy.idg --gpu pascal.xml --levels on
