tests/levels/stream.idg --gpu tests/levels/gpu.xml --groups 1 --tables
