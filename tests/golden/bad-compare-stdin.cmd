compare - --gpu pascal.xml --versus --gpu -
