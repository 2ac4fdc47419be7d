roofline saxpy.idg --gpu pascal.xml --launches each
