mmul08.idg --help
