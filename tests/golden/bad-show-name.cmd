show nosuch.idg
