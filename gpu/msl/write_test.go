package msl

import (
	"bytes"
	"strings"
	"testing"
)

// write writes everything that can be written of p.
func write(t testing.TB, p *Program) (cpu, cuda, strict string) {
	t.Helper()
	var buffers [3]bytes.Buffer
	for _, err := range []error{p.WriteCPU(&buffers[0], p.Kernels), p.WriteCUDA(&buffers[1]), p.WriteStrict(&buffers[2])} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return buffers[0].String(), buffers[1].String(), buffers[2].String()
}

func TestWrite(t *testing.T) {
	source := sample(t)
	p, err := Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	cpu, cuda, strict := write(t, p)
	for name, out := range map[string]string{"CPU": cpu, "CUDA": cuda, "strict": strict} {
		if strings.Contains(out, "[[") {
			t.Errorf("%s keeps an attribute", name)
		}
		// A compiler's messages have the line numbers of the source.
		want, got := strings.Split(source, "\n"), strings.Split(out, "\n")[1:]
		for i, line := range want {
			if before, _, attributes := strings.Cut(line, "[["); !attributes && got[i] != line || len(got[i]) < len(before) && name == "CUDA" {
				t.Errorf("%s: line %d is %q, was %q", name, i+1, got[i], line)
			}
		}
	}
	for _, want := range []string{
		"static constant int FC_twice ;",
		"tiles<half, Once>(emu::Argument{b[0]}, emu::Argument{b[1]}, emu::position<ushort3>(p.threadgroup_position_in_grid));",
		`{"scale", entry0, 0x7u, 0x4u, 0x1u},`,
		`{"tiles_f16", entry2, 0x3u, 0x1u, 0x0u},`,
		"{8, &FC_more},",
	} {
		if !strings.Contains(cpu, want) {
			t.Errorf("the C++ lacks %s", want)
		}
	}
	for _, want := range []string{
		"extern \"C\" { __constant__ int FC_twice ; }",
		`extern "C" __global__ void MSL_BOUNDS metal_scale(char *b0, char *b1, char *b2, unsigned t0, unsigned t1, unsigned t2, unsigned t3) {`,
		"scale(msl::Argument{b0}, msl::Argument{b1}, msl::Argument{b2}, msl::Argument{msl::shared() + t0}, msl::position<uint2>(msl::thread_position_in_grid()), msl::position<ushort>(msl::thread_index_in_simdgroup()));",
	} {
		if !strings.Contains(cuda, want) {
			t.Errorf("the CUDA source lacks %s", want)
		}
	}
	if want := "extern constant int FC_more ;"; !strings.Contains(strict, want) {
		t.Errorf("the strict source lacks %s", want)
	}

	var part bytes.Buffer
	if err := p.WriteCPU(&part, p.Kernels[:1]); err != nil || strings.Contains(part.String(), "entry1") {
		t.Errorf("a part with one kernel has more: %v", err)
	}
}
