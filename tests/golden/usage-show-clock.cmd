show saxpy.idg --clock 3
