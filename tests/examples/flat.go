// A SwiGLU layer from Go, by cgo, which translates net_flat.h. Its result is compared with a plain
// loop's.
//
//	ffngen vendor flat.lua --prefix net --flat --out net
//	cd net && cc -O2 -DNET_NO_MAIN -c *.c && ar crs libnet.a *.o && cd ..
//	GO111MODULE=off go run flat.go
package main

/*
#cgo CFLAGS: -Inet
#cgo LDFLAGS: -Lnet -lnet
#include "net_flat.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"unsafe"
)

const (
	inputs  = C.NET_LAYER_INPUTS
	outputs = C.NET_LAYER_OUTPUTS
	hidden  = C.NET_LAYER_W_GATE_FLOATS / inputs
	tokens  = 5
)

// What a status says, as an error.
func judged(status C.net_flat_status) error {
	if status == C.NET_FLAT_OK {
		return nil
	}
	return errors.New(C.GoString(C.net_flat_text(status)))
}

func first(values []float32) *C.float { return (*C.float)(unsafe.Pointer(&values[0])) }

// Packed weights, in memory of C.
type layer struct{ packed unsafe.Pointer }

func pack(gate, up, down []float32) (layer, error) {
	packed := C.net_flat_alloc(C.NET_LAYER_PACKED_BYTES)
	status := C.net_layer_pack(packed, C.NET_LAYER_PACKED_BYTES, first(gate), first(up), first(down))
	return layer{packed}, judged(status)
}

// y = layer(x), with as many tokens as y has.
func (l layer) run(y, x []float32, work unsafe.Pointer, bytes C.size_t) error {
	count := len(y) / outputs
	if len(x) < count*inputs {
		return errors.New("x has fewer tokens than y")
	}
	return judged(C.net_layer_run(first(y), outputs, first(x), inputs, C.size_t(count),
		l.packed, C.NET_LAYER_PACKED_BYTES, work, bytes))
}

func numbers(count, step int) []float32 {
	list := make([]float32, count)
	for i := range list {
		list[i] = float32(i*step%101)/64 - 0.78125
	}
	return list
}

// A row of a matrix times x.
func dot(matrix []float32, row int, x []float64) (sum float64) {
	for k, v := range x {
		sum += float64(matrix[row*len(x)+k]) * v
	}
	return sum
}

func plain(gate, up, down, row []float32) []float64 {
	x, h, y := make([]float64, inputs), make([]float64, hidden), make([]float64, outputs)
	for k := range x {
		x[k] = float64(row[k])
	}
	for i := range h {
		g := dot(gate, i, x)
		h[i] = g / (1 + math.Exp(-g)) * dot(up, i, x)
	}
	for o := range y {
		y[o] = dot(down, o, h)
	}
	return y
}

func check(holds bool, format string, values ...any) {
	if !holds {
		fmt.Printf(format+"\n", values...)
		os.Exit(1)
	}
}

func main() {
	gate, up := numbers(hidden*inputs, 37), numbers(hidden*inputs, 31)
	down, x := numbers(outputs*hidden, 29), numbers(tokens*inputs, 41)
	y := make([]float32, tokens*outputs)
	l, err := pack(gate, up, down)
	check(err == nil, "pack: %v", err)
	defer C.net_flat_free(l.packed)
	bytes := C.net_layer_work_bytes(1, tokens)
	work := C.net_flat_alloc(bytes)
	defer C.net_flat_free(work)
	err = l.run(y, x, work, bytes)
	check(err == nil, "run: %v", err)
	for t := 0; t < tokens; t++ {
		for o, expected := range plain(gate, up, down, x[t*inputs:]) {
			given := float64(y[t*outputs+o])
			check(math.Abs(given-expected) < 1e-4, "y[%d][%d] = %g, not %g", t, o, given, expected)
		}
	}
	err = l.run(y, x, work, 64)
	check(err != nil && strings.HasPrefix(err.Error(), "work memory has too few bytes"), "%v", err)
	fmt.Printf("Go: %d tokens as a plain loop has them; refused: %v\n", tokens, err)
}
