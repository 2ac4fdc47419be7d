tests/levels/table.idg --gpu tests/levels/gpu.xml --cache warm --tables
