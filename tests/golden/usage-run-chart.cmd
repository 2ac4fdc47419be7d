run mmul08.idg --gpu pascal.xml --chart=x.svg
