package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"inglenook/gpu/msl"
	"inglenook/metalbackend/kernels"
)

const native = "gpu/emulator/native"

// suite compiles sources with a mistake and runs the conformance cases on them.
type suite struct {
	folder string
	cases  program    // the conformance cases
	own    [2]program // tests of lowering and of the host that run kernels: fusions, sizes that take other kernels
	groups map[string]*group
}

// program is a compiled test and the folder that it runs in.
type program struct{ path, folder string }

// group is what is compiled and run for the files of one operation.
type group struct {
	name    string
	cases   string           // a pattern of their names
	kernels []string         // the beginnings of the names of those that the cases launch; all if empty
	results string           // the pattern of the chosen cases
	checked string           // fewer, for the check, which is slow
	limit   [2]time.Duration // of these two: mistakes make loops endless
}

// groupOf returns the cases that a mistake in a file can fail.
func groupOf(file string) group {
	name := strings.TrimSuffix(file, ".metal")
	switch {
	case name == "common":
		return group{name: "common", cases: "gate|rms_norm|layer_norm|l2_normalize|linear_[0-9]x|soft_cap"}
	case name == "blocks" || name == "types":
		return group{name: name, cases: "linear|embed", kernels: []string{"linear", "embed"}}
	case strings.HasPrefix(name, "codebook"):
		return group{name: name, cases: "(linear|embed)_.*iq[23]_", kernels: []string{"linear", "embed"}}
	case name == "experts" || name == "mix": // a mixture routes, multiplies and mixes
		return group{name: name, cases: name, kernels: []string{"experts", "mix", "route"}}
	case name == "linear_tile":
		return group{name: name, cases: "linear_([1-9][0-9]+|9)x", kernels: []string{name}}
	case name == "linear_few":
		return group{name: name, cases: "linear_[2-8]x", kernels: []string{name}}
	case strings.HasPrefix(name, "linear_vec_codebooks"):
		return group{name: name, cases: "linear_1x.*iq[23]_", kernels: []string{"linear_vec", "linear_few"}}
	case strings.HasPrefix(name, "linear_vec"): // what is not aligned goes to linear_few
		return group{name: "linear_vec", cases: "linear_1x", kernels: []string{"linear_vec", "linear_few"}}
	case strings.HasPrefix(name, "linear"):
		return group{name: "linear", cases: "linear", kernels: []string{"linear"}}
	case strings.HasPrefix(name, "attention") || name == "cache":
		return group{name: "attention", cases: "attention|causal_attention", kernels: []string{"attention", "cache"}}
	}
	return group{name: name, cases: name, kernels: []string{name}}
}

func newSuite(folder string, ready bool) (*suite, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	s := &suite{folder: folder, groups: map[string]*group{}}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		to     *program
		folder string
	}{{&s.cases, "metalbackend/emulated"}, {&s.own[0], "gpu/lower"}, {&s.own[1], "metalbackend"}} {
		*p.to = program{filepath.Join(s.folder, "test_"+filepath.Base(p.folder)), p.folder}
		if ready {
			continue
		}
		if out, err := exec.Command("go", "test", "-c", "-o", p.to.path, "./"+p.to.folder).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the tests of %s do not build: %w\n%s", p.to.folder, err, out)
		}
	}
	sources, err := filepath.Glob(native + "/*.cpp")
	if err != nil {
		return nil, err
	}
	for _, check := range []bool{false, true} {
		for _, source := range sources {
			if out, err := compile(check, false, source, s.object(filepath.Base(source), check)); err != nil {
				return nil, fmt.Errorf("%w\n%s", err, out)
			}
		}
	}
	return s, nil
}

func (s *suite) object(name string, check bool) string {
	return filepath.Join(s.folder, fmt.Sprintf("%s_%t.o", name, check))
}

func compile(check, kernels bool, source, object string) ([]byte, error) {
	args := []string{"-std=c++17", "-O1", "-ffp-contract=off", "-fsigned-char", "-fPIC", "-fvisibility=hidden", "-w", "-I" + native, "-I" + native + "/shim/cpu", "-I" + native + "/shim/common"}
	if !kernels {
		args = append(args, "-O2")
	}
	if check {
		args = append(args, "-DEMULATOR_CHECK")
	} else {
		args = append(args, "-march=native")
	}
	if check && kernels {
		args = append(args, "-fsanitize=thread,alignment")
	}
	return exec.Command("g++", append(args, "-c", source, "-o", object)...).CombinedOutput()
}

// errInvalid is a mistake that the dialect or the compiler refuses: no mutant.
var errInvalid = errors.New("does not compile")

// build makes a library of the kernels that a group launches.
func (s *suite) build(g *group, source, name string, check bool) (string, error) {
	program, err := msl.Parse(source)
	if err != nil {
		return "", errInvalid
	}
	var launched []msl.Kernel
	for _, k := range program.Kernels {
		if len(g.kernels) == 0 || slices.ContainsFunc(g.kernels, func(f string) bool { return strings.HasPrefix(k.Name, f) }) {
			launched = append(launched, k)
		}
	}
	var cpp bytes.Buffer
	if err := program.WriteCPU(&cpp, launched); err != nil {
		return "", err
	}
	base := filepath.Join(s.folder, name)
	if err := os.WriteFile(base+".cpp", cpp.Bytes(), 0o644); err != nil {
		return "", err
	}
	defer os.Remove(base + ".cpp")
	defer os.Remove(base + ".o")
	if _, err := compile(check, true, base+".cpp", base+".o"); err != nil {
		return "", errInvalid
	}
	args := []string{"-shared", "-pthread", "-o", base + ".so", base + ".o"}
	for _, part := range []string{"check.cpp", "launch.cpp", "switch.cpp", "threadgroup.cpp"} {
		args = append(args, s.object(part, check))
	}
	if out, err := exec.Command("g++", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Abs(base + ".so")
}

// run runs tests on a library; ok is false where one fails, or they don't end in time.
func run(p program, library, tests, order string, limit time.Duration) (out string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, "-test.run", tests, "-test.failfast", "-test.v", "-test.timeout", limit.String())
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "INGLENOOK_METAL_EMULATOR="+library, "INGLENOOK_METAL_ORDER="+order)
	text, err := cmd.CombinedOutput()
	return string(text), err == nil
}

var passed = regexp.MustCompile(`(?m)^    --- PASS: TestConformance/(\S+) \(([\d.]+)s\)`)

// prepare makes the groups that mutants need, some at a time.
func (s *suite) prepare(all []mutant, workers int) error {
	var names []string
	first := map[string]string{} // file by group
	for _, m := range all {
		if name := groupOf(m.file).name; first[name] == "" {
			first[name] = m.file
			names = append(names, name)
		}
	}
	groups, errs := make([]*group, len(names)), make([]error, len(names))
	limit := make(chan struct{}, workers)
	var running sync.WaitGroup
	for i, name := range names {
		running.Go(func() {
			limit <- struct{}{}
			groups[i], errs[i] = s.group(first[name])
			<-limit
		})
	}
	running.Wait()
	for i, name := range names {
		s.groups[name] = groups[i]
	}
	return errors.Join(errs...)
}

// group prepares what the mistakes of a file need: the chosen cases, which have to
// pass on the source as it is.
func (s *suite) group(file string) (*group, error) {
	g := groupOf(file)
	library, err := s.build(&g, kernels.Source(), "as_it_is_"+g.name, false)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.name, err)
	}
	defer os.Remove(library)
	start := time.Now()
	out, ok := run(s.cases, library, conformance("^("+g.cases+")"), "forward", time.Hour)
	g.limit[0] = patience(start)
	if !ok {
		return nil, fmt.Errorf("%s: the cases fail without a mistake:\n%s", g.name, tail(out))
	}
	type timed struct {
		name    string
		seconds float64
	}
	var cases []timed
	for _, m := range passed.FindAllStringSubmatch(out, -1) {
		seconds, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, err
		}
		cases = append(cases, timed{regexp.QuoteMeta(m[1]), seconds})
	}
	slices.SortStableFunc(cases, func(a, b timed) int { return cmp.Compare(a.seconds, b.seconds) })
	// The quicker three quarters and some of the others; a fifth of these under the check.
	var chosen, checked []string
	for i, c := range cases {
		if 4*i < 3*len(cases) || i%5 == 0 {
			chosen = append(chosen, c.name)
		}
		if 4*i < 3*len(cases) && i%4 == 0 {
			checked = append(checked, c.name)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s: no cases", g.name)
	}
	g.results, g.checked = "^("+strings.Join(chosen, "|")+")$", "^("+strings.Join(checked, "|")+")$"
	library, err = s.build(&g, kernels.Source(), "as_it_is_"+g.name, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.name, err)
	}
	defer os.Remove(library)
	start = time.Now()
	out, ok = run(s.cases, library, conformance(g.checked), "forward", time.Hour)
	g.limit[1] = patience(start)
	if !ok {
		return nil, fmt.Errorf("%s: the check finds something without a mistake:\n%s", g.name, tail(out))
	}
	fmt.Printf("%s: %d cases, %d of them under the check\n", g.name, len(chosen), len(checked))
	return &g, nil
}

// verdicts
const (
	invalid  = "does not compile"
	results  = "results"
	everyOne = "check"
	survived = "survived"
)

// limit ends what a mistake made endless in whole passes.
const limit = 4 * time.Minute

// patience returns how long cases may take that took the time since start without a
// mistake.
func patience(start time.Time) time.Duration { return 20*time.Second + 5*time.Since(start) }

// What nothing else finds goes through whole passes, in which operations are
// fused, and through the tests of lowering and of the host; all take every kernel.
const (
	passes = "^(encoder_of|encoder_like|decoder_in|the_same|value_used|tied)"
	own    = "Encoder|AddNorm|Linear|Attention|RoPECache|SameOrApart|BucketEdges|NaNStays|WeightAs"
)

func conformance(cases string) string { return "^TestConformance$/" + cases }

// judge returns which test finds a mistake.
func (s *suite) judge(m mutant, worker int) (string, error) {
	g := s.groups[groupOf(m.file).name]
	source := withMistake(m)
	name := fmt.Sprintf("mutant_%d", worker)
	for i, check := range []bool{false, true} {
		library, err := s.build(g, source, name, check)
		if errors.Is(err, errInvalid) {
			return invalid, nil
		}
		if err != nil {
			return "", err
		}
		cases, by := g.results, results
		if check {
			cases, by = g.checked, everyOne
		}
		_, ok := run(s.cases, library, conformance(cases), map[bool]string{false: "shuffled", true: "forward"}[check], g.limit[i])
		os.Remove(library)
		if !ok {
			return by, nil
		}
	}
	library, err := s.build(&group{}, source, name, false)
	if err != nil {
		return "", err
	}
	defer os.Remove(library)
	if _, ok := run(s.cases, library, conformance(passes), "reverse", limit); !ok {
		return results, nil
	}
	for _, p := range s.own {
		if _, ok := run(p, library, own, "reverse", limit); !ok {
			return results, nil
		}
	}
	return survived, nil
}

// files cuts a source into its files, which it names by #line.
func files(source string) map[string]string {
	parts := map[string]string{}
	for _, part := range strings.Split(source, "#line 1 \"")[1:] {
		name, text, _ := strings.Cut(part, "\"\n")
		parts[name] = text
	}
	return parts
}

// withMistake is the program's source with a mistake.
func withMistake(m mutant) string {
	whole := kernels.Source()
	text := files(whole)[m.file]
	return strings.Replace(whole, text, plant(text, m), 1)
}

func tail(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}
