roofline saxpy.idg --gpu pascal.xml --chart-kind quadrants
