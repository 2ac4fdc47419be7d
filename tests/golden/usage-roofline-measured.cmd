roofline saxpy.idg mmul08.idg --gpu pascal.xml --measured 3
