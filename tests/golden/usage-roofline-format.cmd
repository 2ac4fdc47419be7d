roofline saxpy.idg --gpu pascal.xml --format xml
