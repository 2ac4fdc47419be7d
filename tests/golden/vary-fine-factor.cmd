sweep mmul08.idg --gpu pascal.xml --vary 'groups=2..9*1.5'
