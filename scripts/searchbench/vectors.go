package main

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"time"

	"inglenook/cpubackend/scan"
	"inglenook/documents/store/vectors"
)

// measureVectors searches the vectors in DIR/base.f32 with those in
// DIR/queries.f32, [rows, 384] floats each, and writes the ten rows that each
// query finds to DIR/ours.i32.
func measureVectors(ctx context.Context, dir string) error {
	queries, err := readVectors(filepath.Join(dir, "queries.f32"))
	if err != nil {
		return err
	}
	scanner, err := scan.New("")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "ours")
	set, err := vectors.Open(path, "made up", dimension, scanner, false)
	if err != nil {
		return err
	}
	defer set.Close()
	start, before := time.Now(), processor()
	if set.Rows() == 0 {
		if err := copyVectors(set, filepath.Join(dir, "base.f32")); err != nil {
			return err
		}
	}
	if err := say(map[string]any{"rows": set.Rows(), "write_s": time.Since(start).Seconds(), "write_cpu_s": (processor() - before).Seconds(), "bytes_a_row": set.Size() / int64(set.Rows()), "anonymous_mib": anonymous()}); err != nil {
		return err
	}
	return measureSet(ctx, set, queries, dir, "ours")
}

func measureSet(ctx context.Context, set *vectors.Set, queries [][]float32, dir, name string) error {
	var among vectors.Bitmap
	for row := range set.Rows() {
		among.Add(row)
	}
	found := make([]byte, 0, 40*len(queries))
	ask := func(i int) error {
		near, err := set.Nearest(ctx, queries[i], 10, among)
		for _, n := range near {
			found = binary.LittleEndian.AppendUint32(found, uint32(n.Row))
		}
		return err
	}
	if _, err := timed(len(queries), ask); err != nil { // files into memory
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".i32"), found, 0o600); err != nil {
		return err
	}
	for range 3 {
		out, err := timed(len(queries), ask)
		if err != nil {
			return err
		}
		out["search"] = name
		if err := say(out); err != nil {
			return err
		}
	}
	return nil
}

func copyVectors(set *vectors.Set, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for first := 0; ; {
		part, err := readSome(f, 5000)
		if err != nil {
			return err
		}
		if len(part) == 0 {
			return nil
		}
		rows := make([]int64, len(part))
		for i := range rows {
			rows[i] = int64(first + i)
		}
		if err := set.Write(rows, part); err != nil {
			return err
		}
		first += len(part)
	}
}

func readVectors(path string) ([][]float32, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readSome(f, 1<<30)
}

// readSome reads up to n vectors.
func readSome(r io.Reader, n int) (all [][]float32, _ error) {
	row := make([]byte, 4*dimension)
	for len(all) < n {
		if _, err := io.ReadFull(r, row); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		v := make([]float32, dimension)
		if _, err := binary.Decode(row, binary.LittleEndian, v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}
