#!/bin/sh
# mpirun as root and in CI, with more ranks than cores, without ssh; a hang is a failure.
# Usage: mpirun.sh SECONDS RANKS PROGRAM [ARGUMENT]...
#        mpirun.sh                 whether there is MPI to compile with and to run; says so if not
set -eu
if [ $# -eq 0 ]; then
  if command -v mpirun >/dev/null && printf '#include <mpi.h>\nint main(void) { return 0; }\n' |
    mpicc -x c - -o /dev/null 2>/dev/null; then
    exit 0
  fi
  echo "no mpicc with mpi.h, or no mpirun (setup.sh --mpi installs both)"
  exit 1
fi
seconds=$1 ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
command -v ssh >/dev/null || command -v rsh >/dev/null || export OMPI_MCA_plm=isolated
exec timeout -k 5 "$seconds" mpirun -n "$ranks" "$@"
