package tokenizer

// The library is built once from the pinned module's own source (see the
// Makefile). Its folder is named here and not in CGO_LDFLAGS, because that
// variable is part of the build key of every cgo package in the program.

// #cgo linux,amd64 LDFLAGS: -L${SRCDIR}/../build/lib/linux_amd64
// #cgo linux,arm64 LDFLAGS: -L${SRCDIR}/../build/lib/linux_arm64
// #cgo darwin,arm64 LDFLAGS: -L${SRCDIR}/../build/lib/darwin_arm64
// #cgo darwin,amd64 LDFLAGS: -L${SRCDIR}/../build/lib/darwin_amd64
import "C"
