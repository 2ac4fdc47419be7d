roofline saxpy.idg --gpu pascal.xml --launches apart --measured 3
