roofline saxpy.idg --gpu pascal.xml --gpu fermi.xml --measured 3
