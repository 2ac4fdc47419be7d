bench --backend model:v100.xml --noise 2
