run mmul08.idg --gpu pascal.xml --format json
