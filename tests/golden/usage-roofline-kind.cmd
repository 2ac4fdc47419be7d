roofline saxpy.idg --gpu pascal.xml --chart x.svg --chart-kind quadrant
