shwo mmul08.idg
