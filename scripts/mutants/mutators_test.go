package main

import (
	"strings"
	"testing"
)

func TestMutants(t *testing.T) {
	source := strings.Join([]string{
		"// a comment: x < 1",
		"kernel void k(",
		"        device float * y [[buffer(1)]]) {",
		"    for (int i = 0; i < args.n; i++) { y[i] = 0.5f; } // i < n",
		"    threadgroup_barrier(mem_flags::mem_threadgroup);",
		"    if (lane == 0) { sum += 2 * y[0]; }",
		"}",
	}, "\n")
	got := map[string]string{}
	for _, m := range mutants("k.metal", source) {
		got[m.is] = m.kind
		if planted := plant(source, m); planted == source || strings.Count(planted, "\n") != strings.Count(source, "\n") {
			t.Errorf("%v plants nothing, or more than a line", m)
		}
		if m.line < 4 {
			t.Errorf("%v is in no code: %s", m, m.is)
		}
	}
	for text, kind := range map[string]string{
		"for (int i = 0; i <= args.n; i++) { y[i] = 0.5f; }":                   "bound moved",
		"for (int i = 1; i < args.n; i++) { y[i] = 0.5f; }":                    "constant off by one",
		"for (int i = 0; i < args.n; i++) { y[i] = (1.25f * 0.5f + 0.001f); }": "constant changed",
		";": "barrier removed",
		"simdgroup_barrier(mem_flags::mem_threadgroup);": "barrier of the simdgroup only",
		"threadgroup_barrier(mem_flags::mem_none);":      "barrier without its fence",
		"if (lane != 0) { sum += 2 * y[0]; }":            "comparison turned",
		"if (true) { sum += 2 * y[0]; }":                 "guard dropped",
		"if (lane == 0) { sum = 2 * y[0]; }":             "operator swapped",
		"if (lane == 0) { sum += 2 / y[0]; }":            "operator swapped",
		"if (lane == 0) { sum += 3 * y[0]; }":            "constant off by one",
	} {
		if got[text] != kind {
			t.Errorf("%q is missing as %q (%q)", text, kind, got[text])
		}
	}
}

func TestFiles(t *testing.T) {
	got := files("#line 1 \"a.metal\"\nx\n\n#line 1 \"b.metal\"\ny\n")
	if len(got) != 2 || got["a.metal"] != "x\n\n" || got["b.metal"] != "y\n" {
		t.Errorf("%q", got)
	}
}
