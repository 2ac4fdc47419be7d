mmul08.idg --gpu pascal.xml --measured 35 --what-if local.issue=7 --tables
