saxpy.idg --gpu pascal.xml --what-if global.issue=0.5 --tables
