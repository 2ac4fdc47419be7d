sweep mmul08.idg --gpu pascal.xml --vary locl.issue=1
