package metalbackend

import (
	"errors"
	"fmt"
	"strings"

	"inglenook/gpu/msl"
	"inglenook/metalbackend/objc"
)

// salvage compiles what Metal takes of a source that it refuses as a whole. It keeps
// the parts that compile after those that it kept before, so that a part goes with
// what it needs. A refused line then costs the kernels that depend on it, and no
// others. It reports false if nothing is left.
func (l *library) salvage(source string) bool {
	s := salvager{library: l}
	parts := partsOf(source)
	if !s.keep(parts[:1]) { // what all the others use
		return false
	}
	s.keep(parts[1:])
	left, err := msl.ParsePart(s.text.String())
	if err != nil {
		return false
	}
	found := 0
	for _, k := range l.program.Kernels {
		if left.Kernel(k.Name) == nil {
			l.refusals.refuseSource(k.Name, reasonFor(parts, &k))
		} else {
			found++
		}
	}
	return found > 0
}

// salvager collects the parts that compile.
type salvager struct {
	*library
	text strings.Builder
}

// keep adds the parts that compile, and reports whether there was any. It tries all
// together, then halves: a few bad ones of a hundred take a few dozen tries.
func (s *salvager) keep(parts []*part) (any bool) {
	if len(parts) == 0 {
		return false
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.text)
	}
	id, err := s.translate(s.text.String() + text.String())
	if err == nil {
		s.adopt(id)
		s.text.WriteString(text.String())
		return true
	}
	if len(parts) == 1 {
		parts[0].err = err
		s.log.Error("Metal does not compile a part of the kernels", "file", parts[0].file, "line", parts[0].line, "compiler", wholeReason(err))
		return false
	}
	half := len(parts) / 2
	first := s.keep(parts[:half])
	return s.keep(parts[half:]) || first
}

// adopt replaces the library by a larger one.
func (s *salvager) adopt(id objc.ID) {
	if s.id != 0 {
		s.sys.Send(s.id, s.sys.sel.release)
	}
	s.id = id
}

// part is a stretch of the source: a file without its instances of templates, or one
// such instance.
type part struct {
	file  string
	line  int // the first, counted from 1
	lines int
	text  string // with #line, so that messages lead to the file
	err   error  // why Metal does not compile it
}

const (
	beginsFile     = `#line 1 "`
	beginsInstance = `template [[host_name(`
)

// partsOf cuts a source, whose files begin with #line, into parts.
func partsOf(source string) []*part {
	var parts []*part
	var p *part
	begin := func(file string, line int) {
		p = &part{file: file, line: line, text: fmt.Sprintf("#line %d \"%s\"\n", line, file)}
		parts = append(parts, p)
	}
	begin("kernels", 1)
	line, instance := 1, false
	for text := range strings.Lines(source) {
		if name, ok := strings.CutPrefix(text, beginsFile); ok {
			begin(strings.TrimRight(name, "\"\n"), 1)
			line, instance = 1, false
			continue
		}
		now := strings.HasPrefix(text, beginsInstance)
		if now || instance && strings.TrimSpace(text) != "" {
			begin(p.file, line)
			instance = now
		}
		p.text += text
		p.lines++
		line++
	}
	if parts[0].lines == 0 { // the source begins with a file
		parts = parts[1:]
	}
	return parts
}

// reasonFor returns why a kernel could not be compiled: its own part was refused, or
// one that it needs.
func reasonFor(parts []*part, k *msl.Kernel) error {
	for _, p := range parts {
		if p.file == k.File && p.line <= k.Line && k.Line < p.line+p.lines && p.err != nil {
			return p.err
		}
	}
	return errors.New("Metal does not compile what it needs")
}
