tests/levels/stream.idg --gpu tests/levels/gpu.xml --what-if l3.latency=100
