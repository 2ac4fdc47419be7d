tests/levels/stream.idg --gpu tests/levels/gpu.xml --what-if device.bandwidth=64,l2.latency=100 --tables
