package msl

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// stripped returns the source with blanks for attributes, and with other texts
// for some spans. Lines keep their numbers, and columns keep theirs up to the
// first such text of a line.
func (p *Program) stripped(replace map[span]string) string {
	type edit struct {
		span
		text string
	}
	var edits []edit
	for at, text := range replace {
		edits = append(edits, edit{at, text})
	}
	for _, at := range p.blank {
		inside := slices.ContainsFunc(edits, func(e edit) bool { return e.start <= at.start && at.end <= e.end })
		if !inside {
			edits = append(edits, edit{at, blanks(p.source[at.start:at.end])})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	from := 0
	for _, e := range edits {
		b.WriteString(p.source[from:e.start])
		b.WriteString(e.text)
		from = e.end
	}
	b.WriteString(p.source[from:])
	return b.String()
}

// blanks returns s with everything but its line breaks replaced by blanks.
func blanks(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, s)
}

// WriteStrict writes the source for a compiler that knows address spaces but only
// checks: function constants get their values elsewhere.
func (p *Program) WriteStrict(w io.Writer) error {
	replace := map[span]string{}
	for _, at := range p.constants {
		declaration := p.source[at.start:at.end]
		replace[at] = "extern " + declaration[:strings.Index(declaration, "[[")] + ";"
	}
	_, err := fmt.Fprintf(w, "#line 1 \"kernels.metal\"\n%s", p.stripped(replace))
	return err
}

// WriteCPU writes C++ for the emulator: the source, then an entry for each of
// kernels. Several such files of one program, with different kernels, can be
// linked into one library: everything in them is local to its file.
func (p *Program) WriteCPU(w io.Writer, kernels []Kernel) error {
	replace := map[span]string{}
	for _, at := range p.instantiations { // the entries instantiate the templates that they call
		replace[at] = blanks(p.source[at.start:at.end])
	}
	for _, at := range p.constants {
		declaration := p.source[at.start:at.end]
		replace[at] = "static " + declaration[:strings.Index(declaration, "[[")] + ";"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#line 1 \"kernels.metal\"\n%s\n#line 1 \"entries\"\n", p.stripped(replace))
	for i, k := range kernels {
		fmt.Fprintf(&b, "static void entry%d(const emu::Position &p, void **b, void **t) {\n  (void) p; (void) b; (void) t;\n  %s(%s);\n}\n",
			i, k.Func, k.arguments("emu::Argument{b[%d]}", "emu::Argument{t[%d]}", "emu::position<%s>(p.%s)"))
	}
	b.WriteString("static const emu::Entry entries[] = {\n")
	for i, k := range kernels {
		buffers, written, threadgroups := k.masks()
		fmt.Fprintf(&b, "  {%q, entry%d, 0x%xu, 0x%xu, 0x%xu},\n", k.Name, i, buffers, written, threadgroups)
	}
	b.WriteString("  {nullptr, nullptr, 0, 0, 0},\n};\nstatic const emu::Constant constants[] = {\n")
	for _, c := range p.Constants {
		fmt.Fprintf(&b, "  {%d, &%s},\n", c.Index, c.Name)
	}
	b.WriteString("  {0, nullptr},\n};\nstatic emu::Register registered(entries, constants);\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCUDA writes a source for NVRTC: the program, then an extern "C" kernel
// metal_NAME for each, with a pointer for every buffer index up to the highest
// that it uses, and four offsets into the shared memory of its launch, one for
// each index of threadgroup memory. Function constants are __constant__ variables.
func (p *Program) WriteCUDA(w io.Writer) error {
	replace := map[span]string{}
	for _, at := range p.instantiations {
		replace[at] = blanks(p.source[at.start:at.end])
	}
	for _, at := range p.constants {
		declaration := p.source[at.start:at.end]
		replace[at] = "extern \"C\" { __constant__" + strings.TrimPrefix(declaration[:strings.Index(declaration, "[[")], "constant") + "; }"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#line 1 \"kernels.metal\"\n%s\n#line 1 \"entries\"\n", p.stripped(replace))
	for _, k := range p.Kernels {
		b.WriteString(k.cudaEntry())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCUDAKernel writes what WriteCUDA writes, but for one kernel whose function
// constants have values, by index. A constant without a value is 0: the kernel does
// not read it. own, if not empty, is CUDA source with a function own::NAME for the
// kernel's function NAME, of the same parameters, which the entry calls instead.
func (p *Program) WriteCUDAKernel(w io.Writer, k *Kernel, values map[int]int32, own string) error {
	replace := map[span]string{}
	for _, at := range p.instantiations {
		replace[at] = blanks(p.source[at.start:at.end])
	}
	for i, at := range p.constants {
		declaration := p.source[at.start:at.end]
		declaration = strings.TrimPrefix(declaration[:strings.Index(declaration, "[[")], "constant")
		replace[at] = fmt.Sprintf("static constexpr%s = %d;", declaration, values[p.Constants[i].Index])
	}
	entry := *k
	if own != "" {
		entry.Func = "own::" + k.Func
	}
	_, err := fmt.Fprintf(w, "#line 1 \"kernels.metal\"\n%s\n%s\n#line 1 \"entry\"\n%s", p.stripped(replace), own, entry.cudaEntry())
	return err
}

// cudaEntry returns the extern "C" kernel metal_NAME.
func (k *Kernel) cudaEntry() string {
	var b strings.Builder
	begin := "msl::wait_for_last(); "
	if strings.HasPrefix(k.Func, "own::") {
		begin = "" // it does so itself
	}
	fmt.Fprintf(&b, "extern \"C\" __global__ void MSL_BOUNDS metal_%s(", k.Name)
	for i := range k.Buffers() {
		fmt.Fprintf(&b, "char *b%d, ", i)
	}
	fmt.Fprintf(&b, "unsigned t0, unsigned t1, unsigned t2, unsigned t3) {\n  (void) t0; (void) t1; (void) t2; (void) t3;\n  %s%s(%s);\n}\n",
		begin, k.Func, k.arguments("msl::Argument{b%d}", "msl::Argument{msl::shared() + t%d}", "msl::position<%s>(msl::%s())"))
	return b.String()
}

// arguments lists the expressions of a call by the formats for a buffer's index,
// an index of threadgroup memory, and a position's type and name.
func (k *Kernel) arguments(buffer, threadgroup, position string) string {
	list := make([]string, len(k.Params))
	for i, param := range k.Params {
		switch param.Kind {
		case Buffer:
			list[i] = fmt.Sprintf(buffer, param.Index)
		case Threadgroup:
			list[i] = fmt.Sprintf(threadgroup, param.Index)
		case Position:
			list[i] = fmt.Sprintf(position, param.Type, param.Attribute)
		}
	}
	return strings.Join(list, ", ")
}

// masks returns bit masks of the indexes that a kernel uses.
func (k *Kernel) masks() (buffers, written, threadgroups uint32) {
	for _, param := range k.Params {
		switch param.Kind {
		case Buffer:
			buffers |= 1 << param.Index
			if param.Written {
				written |= 1 << param.Index
			}
		case Threadgroup:
			threadgroups |= 1 << param.Index
		}
	}
	return buffers, written, threadgroups
}

// Buffers returns one more than the highest buffer index.
func (k *Kernel) Buffers() int {
	n := 0
	for _, param := range k.Params {
		if param.Kind == Buffer {
			n = max(n, param.Index+1)
		}
	}
	return n
}
