tests/levels/stream.idg --gpu tests/levels/gpu.xml --advise --sensitivity --tables
