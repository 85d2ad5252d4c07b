package markdown

import (
	"bytes"
	"maps"
	"slices"
)

// Stream parses a text that is still being written. Each finished part is
// parsed once; at every moment the blocks equal those of [Parse] for the text
// so far.
//
// A block is finished when another one begins after it, on a whole line that
// follows a blank one: from there on its kind and its end cannot change. A link
// by reference may still find its definition later, so a block that might
// contain one is finished, but not frozen.
//
// The zero value is ready for use. A Stream is not safe for concurrent use.
type Stream struct {
	reader   *reader
	sections []section
	frozen   int              // number of leading sections that miss no definition
	known    references       // defined in the sections
	waiting  map[string][]int // by label: sections that miss its definition
	tail     []byte           // not yet in a section
	cr       bool             // the last byte written was a carriage return
	fresh    bool             // blocks is up to date
	blocks   []Block
	fixed    int // number of blocks in frozen sections
}

// section is a part of the text that ends where a new block begins.
type section struct {
	source  []byte
	blocks  []Block
	missing map[string]bool
}

// Write appends to the text without parsing it.
func (s *Stream) Write(text string) {
	if text == "" {
		return
	}
	if s.cr && text[0] == '\n' {
		text = text[1:]
		s.cr = false
	}
	if text == "" {
		return
	}
	s.cr = text[len(text)-1] == '\r'
	s.tail = append(s.tail, lineFeeds(text)...)
	s.fresh = false
}

// Blocks returns all blocks of the text so far, and the number of leading
// blocks that will never change. A block that is unchanged since the last call
// has the same address. The slice must not be modified.
func (s *Stream) Blocks() (blocks []Block, frozen int) {
	if s.fresh {
		return s.blocks, s.fixed
	}
	if s.reader == nil {
		s.reader, s.known, s.waiting = newReader(), references{}, map[string][]int{}
	}
	p := s.reader.read(s.tail, s.known)
	current, cuts, before := p.cut()
	at := 0
	for _, cut := range cuts {
		s.settle(s.tail[at:cut])
		at = cut
	}
	s.tail = bytes.Clone(s.tail[at:])
	maps.DeleteFunc(p.defined, func(label string, _ definition) bool { _, known := s.known[label]; return known })
	s.join(current[before:], p.defined)
	return s.blocks, s.fixed
}

// cut returns the blocks of a text, the positions at which one begins on a
// whole line after a blank one, and the number of blocks before the last of
// these positions.
func (p parsed) cut() (blocks []Block, at []int, before int) {
	for n := p.root.FirstChild(); n != nil; n = n.NextSibling() {
		b := p.block(n)
		if b == nil {
			continue
		}
		start := bytes.LastIndexByte(p.source[:max(0, n.Pos())], '\n') + 1
		whole := bytes.IndexByte(p.source[start:], '\n') >= 0
		if start > 0 && whole && blankBefore(p.source[:start]) && (len(at) == 0 || start > at[len(at)-1]) {
			at, before = append(at, start), len(blocks)
		}
		blocks = append(blocks, b)
	}
	return blocks, at, before
}

// blankBefore reports whether the line that ends s is blank.
func blankBefore(s []byte) bool {
	s = s[:len(s)-1]
	return len(bytes.TrimLeft(s[bytes.LastIndexByte(s, '\n')+1:], " \t")) == 0
}

// settle makes a section from a finished part of the text.
func (s *Stream) settle(part []byte) {
	source := bytes.Clone(part)
	p := s.reader.read(source, s.known)
	maps.Copy(s.known, p.defined)
	s.sections = append(s.sections, section{source, p.blocks(), nil})
	s.wait(len(s.sections)-1, p.missing)
	for label := range p.defined {
		for _, i := range s.waiting[label] {
			again := s.reader.read(s.sections[i].source, s.known)
			s.sections[i].blocks = again.blocks()
			s.wait(i, again.missing)
		}
		delete(s.waiting, label)
	}
	for s.frozen < len(s.sections) && len(s.sections[s.frozen].missing) == 0 {
		s.frozen++
	}
}

// wait records which definitions section i misses.
func (s *Stream) wait(i int, missing map[string]bool) {
	before := s.sections[i].missing
	s.sections[i].missing = missing
	for label := range missing {
		if !before[label] {
			s.waiting[label] = append(s.waiting[label], i)
		}
	}
}

// join concatenates all blocks. Sections that miss a definition in the tail are
// parsed again with it, provisionally, because the tail may still change.
func (s *Stream) join(last []Block, defined references) {
	var now map[int][]Block
	if len(defined) > 0 {
		all := maps.Clone(s.known)
		maps.Copy(all, defined)
		now = map[int][]Block{}
		for label := range defined {
			for _, i := range s.waiting[label] {
				if _, done := now[i]; !done {
					now[i] = s.reader.read(s.sections[i].source, all).blocks()
				}
			}
		}
	}
	blocks := make([]Block, 0, len(s.blocks)+len(last))
	s.fixed = 0
	for i, section := range s.sections {
		if i == s.frozen {
			s.fixed = len(blocks)
		}
		if provisional, ok := now[i]; ok {
			blocks = append(blocks, provisional...)
		} else {
			blocks = append(blocks, section.blocks...)
		}
	}
	if s.frozen == len(s.sections) {
		s.fixed = len(blocks)
	}
	s.blocks, s.fresh = nil, true
	if blocks = append(blocks, last...); len(blocks) > 0 {
		s.blocks = slices.Clip(blocks)
	}
}
