tests/levels/stream.idg --gpu tests/levels/gpu.xml --cache warm --groups 4000 --tables
