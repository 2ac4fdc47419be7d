roofline saxpy.idg --gpu pascal.xml --groups 1000 --group-size 64 --clock 1708 --measured 0.01 --format csv
