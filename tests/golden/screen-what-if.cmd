mmul08.idg --gpu pascal.xml --what-if local.issue=7,local.completion=100
