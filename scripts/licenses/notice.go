package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// notice is one licence file of a module.
type notice struct {
	File      string // relative to the module
	Licenses  []string
	Copyright []string
}

// known identifies licences by words that only they contain. The text of a licence, after its copyright
// lines, begins with the first of them.
var known = []struct {
	id    string
	words []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}},
	{"BSD-3-Clause", []string{"Redistribution and use", "Neither the name"}},
	{"BSD-2-Clause", []string{"Redistribution and use", "this list of conditions"}},
	{"MIT", []string{"Permission is hereby granted, free of charge, to any person obtaining", "copies or substantial portions"}},
	{"ISC", []string{"Permission to use, copy, modify, and/or distribute"}},
	{"Zlib", []string{"This software is provided 'as-is'", "altered from any source"}},
	{"Unlicense", []string{"This is free and unencumbered software"}},
	{"OFL-1.1", []string{"SIL OPEN FONT LICENSE"}},
	{"GUST-Font-License-1.0", []string{"This is version 1.0, dated 22 June 2009, of the GUST Font License", "LaTeX Project Public License"}},
	{"Bitstream-Vera", []string{"Permission is hereby granted", "Bitstream Vera"}},
	{"MPL-2.0", []string{"Mozilla Public License"}},
	{"Public-Domain", []string{"SQLite Is Public Domain"}},
	{"GPL", []string{"GNU GENERAL PUBLIC LICENSE"}},
}

var (
	licenseFile   = regexp.MustCompile(`(?i)^(licen[cs]e|copying)`)
	copyrightLine = regexp.MustCompile(`(?m)^[ *]*(Copyright (?:\([cC]\)|©|[12]\d{3})[^\n]*)`)
	space         = regexp.MustCompile(`\s+`)
)

// readNotices finds the licence files of a module and adds the texts of licences to texts.
func (m *module) readNotices(texts map[string]string) error {
	err := filepath.WalkDir(m.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == "testdata" || name == "cmd" {
				return filepath.SkipDir
			}
			return nil
		}
		if !licenseFile.MatchString(entry.Name()) || entry.Name() == "LICENSE-LOGO" { // of a picture that is not linked
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(data), "\r\n", "\n")
		n := notice{Licenses: identify(text, texts)}
		if len(n.Licenses) == 0 {
			return fmt.Errorf("%s: a licence that this command does not know: add it to the table", path)
		}
		if n.File, err = filepath.Rel(m.dir, path); err != nil {
			return err
		}
		for _, match := range copyrightLine.FindAllStringSubmatch(text, -1) {
			if line := strings.TrimSpace(match[1]); !slices.Contains(n.Copyright, line) {
				n.Copyright = append(n.Copyright, line)
			}
		}
		m.Notices = append(m.Notices, n)
		return nil
	})
	if err == nil && len(m.Notices) == 0 {
		err = fmt.Errorf("%s has no licence file", m.Path)
	}
	return err
}

// identify names the licences in a text. A text of one licence alone also goes to texts, unless a
// shorter one is there.
func identify(text string, texts map[string]string) []string {
	words := space.ReplaceAllString(text, " ")
	var ids []string
	start := 0
	for _, k := range known {
		if slices.ContainsFunc(k.words, func(w string) bool { return !strings.Contains(words, w) }) {
			continue
		}
		if k.id == "BSD-2-Clause" && slices.Contains(ids, "BSD-3-Clause") {
			continue // the longer one contains the shorter
		}
		ids = append(ids, k.id)
		firstWord, _, _ := strings.Cut(k.words[0], ",") // a line may end after the comma
		start = max(0, strings.Index(text, firstWord))
	}
	if len(ids) == 1 {
		body := strings.TrimRight(text[start:], "\n")
		if old, seen := texts[ids[0]]; !seen || len(body) < len(old) {
			texts[ids[0]] = body
		}
	}
	return ids
}
