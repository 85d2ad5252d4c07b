// Package msl reads the part of the Metal Shading Language that our kernels are
// written in. [Parse] is parser and lint in one. It reports what a kernel takes
// (buffers, threadgroup memory, function constants), and rejects what one of the
// compilers of the same source would reject or understand differently: Apple's on
// a Mac, a C++ compiler for the emulator, NVRTC for an NVIDIA card.
//
// The writers turn a program into source for those other two, and for a check
// with real address spaces. The text keeps its lines and columns; only attributes
// become blanks.
//
// It is not a C++ front end: the compilers check types, and the emulator checks
// races and bounds. The dialect's rules are listed in docs/METAL.md.
package msl

import (
	"errors"
	"fmt"
)

// Program is a source that follows the rules of the dialect.
type Program struct {
	Kernels   []Kernel   // the kernels that a host can use, in order of appearance
	Constants []Constant // function constants, in order of appearance
	Structs   []Struct   // in order of appearance

	source string
	blank  []span // attributes
	// Parts that the other compilers need in another form: declarations of
	// function constants, and explicit instantiations.
	constants      []span
	instantiations []span
}

// Kernel is a function that can be dispatched: a plain one, or one instantiation
// of a template.
type Kernel struct {
	Name   string // by which the host looks it up
	Func   string // the C++ expression that is called: name or name<arguments>
	Params []Param
	// Constants are the indexes of the function constants that it reads, itself
	// or in a function that it calls, in ascending order. All of them must be set
	// before Metal can make a pipeline.
	Constants []int
	// SIMD says that it, or a function that it calls, uses what lanes of a simdgroup
	// do together: sums, shuffles, matrices.
	SIMD bool
	File string // that #line named, if any
	Line int
}

// Written returns the indexes of the buffers that the kernel may write, as bits.
func (k *Kernel) Written() (bits uint32) {
	for _, p := range k.Params {
		if p.Kind == Buffer && p.Written {
			bits |= 1 << p.Index
		}
	}
	return bits
}

// Kind is the source of a parameter's value.
type Kind uint8

const (
	Buffer      Kind = iota // [[buffer(n)]]
	Threadgroup             // [[threadgroup(n)]]
	Position                // [[thread_position_in_grid]] and the like
)

// Param is one parameter of a kernel.
type Param struct {
	Name      string
	Type      string // as written, without the attribute: "device const float *"
	Kind      Kind
	Index     int    // of a buffer or of threadgroup memory
	Attribute string // "buffer", "threadgroup", or the name of the position
	Written   bool   // a buffer that the kernel may write
	Struct    string // the name of the struct in a "constant X &" parameter
}

// Constant is a function constant, always of type int.
type Constant struct {
	Name  string
	Index int
}

// Struct lists a struct's data members, without its functions.
type Struct struct {
	Name   string
	Fields []Field
}

// Field is one member of a struct.
type Field struct {
	Name, Type string
	Array      string // the length of an array as written, else ""
}

// Kernel returns the kernel with a name, or nil.
func (p *Program) Kernel(name string) *Kernel {
	for i := range p.Kernels {
		if p.Kernels[i].Name == name {
			return &p.Kernels[i]
		}
	}
	return nil
}

// Struct returns the struct with a name, or nil.
func (p *Program) Struct(name string) *Struct {
	for i := range p.Structs {
		if p.Structs[i].Name == name {
			return &p.Structs[i]
		}
	}
	return nil
}

// Error is one violation of the dialect's rules.
type Error struct {
	File   string // that #line named, if any
	Line   int
	Reason string
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// maxErrors limits the report: most of the errors after a missing bracket are
// noise.
const maxErrors = 20

// Parse parses a source. Its error joins one *Error for each violation.
func Parse(source string) (*Program, error) { return parse(newParser(source)) }

// ParsePart parses a part of a source, in which templates may have no instances.
func ParsePart(source string) (*Program, error) {
	p := newParser(source)
	p.partial = true
	return parse(p)
}

func parse(p *parser) (*Program, error) {
	p.lex()
	if len(p.errs) == 0 {
		p.matchBrackets()
	}
	if len(p.errs) == 0 {
		p.declarations()
	}
	if len(p.errs) == 0 {
		p.lint()
		p.reach()
	}
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return p.program, nil
}
