tests/levels/huge.idg --gpu tests/levels/gpu.xml
