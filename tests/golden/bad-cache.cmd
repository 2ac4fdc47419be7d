saxpy.idg --gpu v100.xml --cache luke
