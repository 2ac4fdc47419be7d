tests/levels/stream.idg --gpu tests/levels/gpu.xml --groups 4000 --advise
