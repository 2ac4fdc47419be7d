compare mmul08.idg --gpu pascal.xml --versus --what-if local.issue=0
