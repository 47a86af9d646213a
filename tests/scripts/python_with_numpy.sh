#!/bin/sh
# Prints a python3 that has numpy: the first in PATH, else the system's. Fails where there is none.
IFS=:
for folder in $PATH /usr/bin; do
  for python in "$folder"/python3 "$folder"/python3.[0-9] "$folder"/python3.[0-9][0-9]; do
    if test -x "$python" && "$python" -c 'import numpy' >/dev/null 2>&1 </dev/null; then
      echo "$python"
      exit 0
    fi
  done
done
exit 1
