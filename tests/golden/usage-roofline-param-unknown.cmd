roofline saxpy.idg --gpu pascal.xml --param m=3
