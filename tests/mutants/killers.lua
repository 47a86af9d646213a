--- Which test killed a defect when it was tried last: tried first, as it mostly does so again. Of
--- the suite its stage and test. A wrong one costs time: all others are tried after it. A run
--- leaves what it saw in build/mutants/killers.lua, which may take this file's place.
return {
}
