show gpus/pascal.xml
