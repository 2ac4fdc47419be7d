tests/levels/count.idg --gpu gtx960.xml
