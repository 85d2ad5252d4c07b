package main

import "testing"

func TestWithoutC(t *testing.T) {
	packages, err := withoutC("darwin", "arm64")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, p := range packages {
		found[p.path] = true
	}
	for path, want := range map[string]bool{
		"inglenook/metalbackend": true, "inglenook/metalbackend/objc": true, "inglenook/gpu/lower": true, "inglenook/engine": true,
		"inglenook/weights": true, "inglenook/models": true, "inglenook/jinja": true,
		"inglenook": false, "inglenook/cpubackend": false, "inglenook/tokenizer": false, "inglenook/pipeline": false,
	} {
		if found[path] != want {
			t.Errorf("%s is among those without C: %v", path, found[path])
		}
	}
}
