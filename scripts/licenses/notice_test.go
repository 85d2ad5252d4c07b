package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	mit  = "Permission is hereby granted, free of charge, to any person obtaining a copy\nshall be included in all\ncopies or substantial portions of the Software."
	bsd2 = "Redistribution and use in source and binary forms\nmust retain this list of\nconditions."
	bsd3 = bsd2 + "\nNeither the name of anybody."
)

func TestIdentify(t *testing.T) {
	cases := []struct {
		name, text string
		want       []string
	}{
		{"MIT over line ends", mit, []string{"MIT"}},
		{"two clauses", bsd2, []string{"BSD-2-Clause"}},
		{"three clauses are not also two", bsd3, []string{"BSD-3-Clause"}},
		{"two licences in a file", mit + "\n\nApache License\nVersion 2.0", []string{"Apache-2.0", "MIT"}},
		{"nothing known", "All rights reserved.", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := identify(c.text, map[string]string{}); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestReadNotices(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m := module{Path: "example.org/m", dir: dir}
	if err := m.readNotices(map[string]string{}); err == nil {
		t.Error("a module without a licence file raised no error")
	}

	write("LICENSE", "Copyright (c) 2020 Somebody\n\n"+mit)
	write("font/LICENSE.txt", bsd3)
	write("testdata/LICENSE", "not linked")
	texts := map[string]string{}
	if err := m.readNotices(texts); err != nil {
		t.Fatal(err)
	}
	if len(m.Notices) != 2 || m.Notices[1].File != filepath.Join("font", "LICENSE.txt") {
		t.Errorf("notices: %+v", m.Notices)
	} else if c := m.Notices[0].Copyright; !slices.Equal(c, []string{"Copyright (c) 2020 Somebody"}) {
		t.Errorf("copyright: %q", c)
	}
	if !strings.HasPrefix(texts["MIT"], "Permission is hereby granted") {
		t.Errorf("the text of MIT has copyright lines: %q", texts["MIT"])
	}

	write("COPYING", "Ask me.")
	if err := m.readNotices(texts); err == nil || !strings.Contains(err.Error(), "COPYING") {
		t.Errorf("an unknown licence: error %v", err)
	}
}
