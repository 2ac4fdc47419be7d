mmul08.idg --gpu pascal.xml --what-if texture.issue=2
