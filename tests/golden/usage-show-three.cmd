show v100 t4 h200
