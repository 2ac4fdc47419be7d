compare saxpy.idg --gpu pascal.xml --versus --clock 753 --format json
