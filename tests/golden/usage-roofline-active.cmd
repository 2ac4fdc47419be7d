roofline saxpy.idg --gpu pascal.xml --active 3
