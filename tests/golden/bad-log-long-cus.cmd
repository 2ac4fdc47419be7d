mmul08.idg --gpu pascal.xml --groups 4000 --cus all --log -
