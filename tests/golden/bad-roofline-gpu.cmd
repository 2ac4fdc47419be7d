roofline gpus/pascal.xml --gpu pascal.xml
