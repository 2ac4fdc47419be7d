tests/levels/stream.idg --gpu tests/levels/gpu.xml --levels off --what-if l2.latency=100
