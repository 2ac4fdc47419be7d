mmul08.idg --gpu pascal.xml --no-fast-forward --log -
