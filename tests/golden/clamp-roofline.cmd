mmul08.idg --gpu pascal.xml --clamp roofline --measured 5.1 --tables
