tests/levels/table.idg --gpu tests/levels/gpu.xml --overheads on --tables
