tests/levels/short.idg --gpu tests/levels/gpu.xml --overheads on --tables
