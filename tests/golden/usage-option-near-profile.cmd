profile --outptu=x.csv -- true
