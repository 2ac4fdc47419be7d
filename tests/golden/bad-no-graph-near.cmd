compare mmul08 mmul80.idg --gpu pascal
