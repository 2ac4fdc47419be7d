compare mmul08.idg --gpu pascal.xml --groups 100 --what-if local.issue=7
