// Command kernels checks the Metal source of the program against its dialect and
// writes what the other compilers read.
//
//	kernels [-parts n] [-source FILE] FOLDER
//
// Into FOLDER go kernels_0.cpp … for the emulator, each with a share of the
// kernels so that they compile side by side, kernels.cu for NVRTC, strict.cpp for
// the check of address spaces, and kernels.metal as Metal gets it.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"inglenook/gpu/msl"
	"inglenook/metalbackend/kernels"
)

func main() {
	parts := flag.Int("parts", 2, "C++ files for the emulator")
	file := flag.String("source", "", "another Metal source instead of the program's own")
	flag.Parse()
	if flag.NArg() != 1 || *parts < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*file, *parts, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string, parts int, folder string) error {
	source := kernels.Source()
	if file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		source = string(data)
	}
	program, err := msl.Parse(source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	write := func(name string, to func(io.Writer) error) {
		if err == nil {
			err = writeIfChanged(filepath.Join(folder, name), to)
		}
	}
	for part := range parts {
		var share []msl.Kernel // neighbours come from one template: they take as long
		for i := part; i < len(program.Kernels); i += parts {
			share = append(share, program.Kernels[i])
		}
		write(fmt.Sprintf("kernels_%d.cpp", part), func(w io.Writer) error { return program.WriteCPU(w, share) })
	}
	write("kernels.cu", program.WriteCUDA)
	write("strict.cpp", program.WriteStrict)
	write("kernels.metal", func(w io.Writer) error { _, err := io.WriteString(w, source); return err })
	return err
}

// writeIfChanged leaves a file with the same text alone, and with it what was
// compiled from it.
func writeIfChanged(path string, to func(io.Writer) error) error {
	var b bytes.Buffer
	if err := to(&b); err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b.Bytes()) {
		return nil
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
