#!/bin/sh
# In place of a Python: failing_peer.sh SCRIPT NAME is a peer that fails at the command FAILS_AT, each
# name in its own way. Until then it answers, with the y that lies in the file FAILS_Y.
name=$2
fail() {
  case $name in
  onnxruntime) # by a signal, as an assertion of a library
    echo 'checks what it got' >&2
    echo 'deep in a library: assertion failed' >&2
    kill -ABRT $$
    ;;
  openvino) exec sleep 1000 ;;
  pytorch) echo '#0  0x00007f in ?? ()' ;; # what a debugger prints
  torch_bf16) exit "${FAILS_WITH-3}" ;;
  ggml) echo 'ok and no more' ;; # no y, no time
  esac
}
answer() {
  if [ "$1" = "$FAILS_AT" ]; then
    fail
    return
  fi
  case $1 in
  run) cp "$FAILS_Y" "build/bench/${name}_y.raw" && echo ok ;;
  time) echo 'ok 0.001' ;;
  *) echo 'ok 1.0' ;;
  esac
}
answer version
while read -r word _; do answer "$word"; done
