compare mmul08.idg --gpu pascal.xml --versus --format json
