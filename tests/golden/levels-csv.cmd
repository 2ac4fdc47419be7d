tests/levels/stream.idg --gpu tests/levels/gpu.xml --format csv --what-if l2.port=12
