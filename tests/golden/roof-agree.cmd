saxpy.idg --gpu pascal.xml
