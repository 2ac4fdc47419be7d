run saxpy.idg --gpu pascal.xml --kernel x
