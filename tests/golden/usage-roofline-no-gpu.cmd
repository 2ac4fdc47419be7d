roofline saxpy.idg
