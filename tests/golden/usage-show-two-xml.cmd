show v100 t4 --xml
