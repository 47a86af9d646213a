--- The words of traced functions, for those of this project.
return require('activation.graph.symbol').scope()
