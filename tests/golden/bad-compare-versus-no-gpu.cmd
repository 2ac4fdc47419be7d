compare mmul08.idg --versus --gpu pascal.xml
