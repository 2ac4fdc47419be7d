compare mmul08.idg --gpu pascal.xml --groups 100 --versus --active 2 --format csv
