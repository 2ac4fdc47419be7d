list gpus graphs
