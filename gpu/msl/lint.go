package msl

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// forbidden maps forbidden words to the reason.
var forbidden = map[string]string{
	"double": "Metal has no double", "long long": "Metal has no long long; long has 64 bits",
	"goto": "Metal has no goto", "throw": "Metal has no exceptions", "try": "Metal has no exceptions", "catch": "Metal has no exceptions",
	"new": "Metal has no heap", "delete": "Metal has no heap", "virtual": "Metal has no virtual functions",
	"dynamic_cast": "Metal has no run-time types", "typeid": "Metal has no run-time types",
	"thread_local": "Metal has no thread_local", "asm": "Metal has no assembler", "std": "Metal's library is in metal::",
	"namespace": "all names live in one", "const_cast": "const stays",
	"reinterpret_cast": "write as_type<T>(x), or a cast of the pointer with its address space",
	"INFINITY":         "no infinities in arithmetic: start maxima at -FLT_MAX", "HUGE_VALF": "no infinities in arithmetic",
	"NAN": "not every compiler knows it: write as_type<float>(0x7fc00000)",
}

var spaces = []string{"device", "constant", "threadgroup", "thread"}

// scalars have vectors of 2, 3 and 4.
var scalars = []string{"bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float"}

// lint checks the rules that hold anywhere in the source.
func (p *parser) lint() {
	types := p.types()
	for i := range p.tokens {
		t := p.tokens[i]
		switch t.kind {
		case identifier:
			word := p.str(i)
			if word == "long" && p.is(i+1, "long") {
				word = "long long"
			}
			if why := forbidden[word]; why != "" && !p.is(i-1, "using") {
				p.fail(t.start, "%s is outside the dialect: %s", word, why)
			}
			if strings.HasPrefix(word, "atomic") {
				p.fail(t.start, "%s is outside the dialect: the same call has to give the same bits", word)
			}
			if types[word] {
				p.addressSpace(i)
			}
			if word == "threadgroup" {
				p.threadgroupVariable(i)
			}
		case number:
			if s := p.str(i); isDouble(s) {
				p.fail(t.start, "%s is a double in C++ and CUDA: write %[1]sf", s)
			} else if isDenormal(s) {
				p.fail(t.start, "%s is a denormal, which Metal's GPUs replace by zero", s)
			}
		case punctuation:
			if p.is(i, "[") && !p.closesValue(i-1) && p.attribute(i) == "" && p.attribute(i-1) == "" {
				p.fail(t.start, "a lambda is outside the dialect")
			}
			if p.is(i, ">") && p.is(i+1, "&") && !p.is(i+2, "&") {
				p.addressSpace(i)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.functions)) {
		for _, f := range p.functions[name] {
			p.arrayParameter(f)
		}
	}
	p.argumentStructs()
}

// isDouble reports whether a number has a point or an exponent and no suffix.
func isDouble(s string) bool {
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		return false
	}
	last := s[len(s)-1]
	return strings.ContainsAny(s, ".eE") && last != 'f' && last != 'h'
}

// isDenormal reports whether a number is a float that is too small to be normal.
func isDenormal(s string) bool {
	const leastNormal = 0x1p-126
	digits, isFloat := strings.CutSuffix(s, "f")
	v, err := strconv.ParseFloat(digits, 64)
	return isFloat && !strings.HasPrefix(s, "0x") && err == nil && v > 0 && v < leastNormal
}

// types returns the names after which * and & declare pointers and references.
func (p *parser) types() map[string]bool {
	types := map[string]bool{"size_t": true, "int8_t": true, "uint8_t": true, "int16_t": true, "uint16_t": true, "int32_t": true, "uint32_t": true}
	for _, s := range scalars {
		for _, n := range []string{"", "2", "3", "4"} {
			types[s+n] = true
		}
	}
	for name := range p.structs {
		types[name] = true
	}
	for i := range p.tokens {
		if p.is(i, "typename") && p.isIdentifier(i+1) {
			types[p.str(i+1)] = true
		}
	}
	return types
}

// closesValue reports whether an index may follow token i.
func (p *parser) closesValue(i int) bool {
	if p.is(i, "]") || p.is(i, ")") {
		return true
	}
	return p.isIdentifier(i) && p.str(i) != "return"
}

// addressSpace rejects a pointer or reference to the type that ends at token i if
// its declaration has no address space.
func (p *parser) addressSpace(i int) {
	next := i + 1
	if p.is(next, "const") {
		next++
	}
	if !p.is(next, "*") && !p.is(next, "&") {
		return
	}
	named := p.isIdentifier(next+1) && next+2 < len(p.tokens) && slices.Contains([]string{",", ";", "=", ")", "[", ":"}, p.str(next+2))
	if !named && !p.is(next+1, ")") && !p.is(next+1, ",") && !p.is(next+1, ">") {
		return
	}
	depth := 0
	for j := i; j >= 0; j-- {
		switch s := p.str(j); {
		case s == ">":
			depth++
		case s == "<" && depth > 0:
			depth--
		case slices.Contains(spaces, s):
			return
		case s == "(" || s == "{" || s == ";" || s == "}" || depth == 0 && (s == "," || s == "<"):
			p.fail(p.tokens[i].start, "a pointer or reference says where it points: device, constant, threadgroup or thread (%q)", p.words(j+1, min(next+2, len(p.tokens))))
			return
		}
	}
}

// threadgroupVariable rejects a declaration of threadgroup memory: only a
// kernel's [[threadgroup(n)]] parameters may refer to it. In the emulator each
// lane would have its own copy.
func (p *parser) threadgroupVariable(i int) {
	if !p.is(i-1, ";") && !p.is(i-1, "{") && !p.is(i-1, "}") {
		return
	}
	for j := i; j < len(p.tokens); j++ {
		switch p.str(j) {
		case "*", "&":
			return
		case ";", "=", "[", "{":
			p.fail(p.tokens[i].start, "threadgroup memory comes as a [[threadgroup(n)]] parameter of the kernel, never from a declaration")
			return
		}
	}
}

// arrayParameter rejects a parameter like float a[4], a pointer without an
// address space.
func (p *parser) arrayParameter(f function) {
	for i := f.from; i < f.to; i++ {
		if p.is(i, "[") && p.attribute(i) == "" && p.attribute(i-1) == "" && !p.is(i-1, ")") {
			p.fail(p.tokens[i].start, "an array as a parameter of %s: write thread float * a, or thread float (&a)[4]", f.name)
		}
	}
}

// argumentStructs checks that the structs that the host fills in have the same
// layout in Go, C++ and Metal.
func (p *parser) argumentStructs() {
	for _, k := range p.program.Kernels {
		for _, param := range k.Params {
			if param.Struct == "" {
				continue
			}
			s := p.program.Struct(param.Struct)
			at := &Error{File: k.File, Line: k.Line}
			if s == nil {
				at.Reason = "kernel " + k.Name + ": " + param.Struct + " is no struct of this source"
			} else if i := slices.IndexFunc(s.Fields, func(f Field) bool {
				return f.Array != "" || f.Type != "int" && f.Type != "uint" && f.Type != "float"
			}); i >= 0 {
				at.Reason = "kernel " + k.Name + ": " + s.Name + "." + s.Fields[i].Name + " of an argument struct has to be int, uint or float"
			}
			if at.Reason != "" && len(p.errs) < maxErrors {
				p.errs = append(p.errs, at)
			}
		}
	}
}
