tests/levels/table.idg --gpu tests/levels/gpu.xml --groups 4000
