tests/levels/stream.idg --gpu tests/levels/gpu.xml --what-if l2.issue=100
