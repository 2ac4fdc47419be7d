saxpy.idg --gpu v100.xml --what-if devcie.latency=5
