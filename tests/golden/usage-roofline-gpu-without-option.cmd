roofline saxpy.idg pascal.xml --gpu pascal.xml
