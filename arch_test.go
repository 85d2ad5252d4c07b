package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport is the one direction of imports, drawn in ARCHITECTURE.md: for each package (with those
// below it) the packages of ours that it may import. Every package must be listed. Tests may import
// anything: those of pipeline, for example, need a backend to run on.
var mayImport = map[string][]string{
	"main":         {"ui", "cli", "app", "assets", "documents", "regular", "server"},
	"ui":           {"app", "filenames", "formula", "markdown", "plain", "documents", "regular", "server"},
	"cli":          {"app", "plain", "regular", "server"},
	"server":       {"app", "plain"},
	"app":          {"filenames", "pipeline", "models", "weights", "cpubackend", "metalbackend", "cudabackend", "engine", "hub", "remote", "catalogue", "assets", "chats", "documents", "durable", "loopback", "regular", "plain", "vecmath"},
	"pipeline":     {"vecmath", "models", "tokenizer", "jinja", "sampling", "weights", "engine"},
	"models":       {"filenames", "weights", "engine"},
	"weights":      {"engine", "filenames", "mapped"},
	"cpubackend":   {"engine"},
	"metalbackend": {"gpu", "engine", "cudabackend"},             // the driver and the compiler, for the kernels on a card
	"cudabackend":  {"gpu", "engine", "metalbackend", "durable"}, // the kernels' source is Metal's
	"gpu":          {"engine"},
	"tokenizer":    {},
	"jinja":        {},
	"sampling":     {},
	"documents":    {"durable", "loopback", "mapped", "regular", "vecmath"},
	"hub":          {"filenames", "loopback", "regular", "plain"},
	"remote":       {"loopback", "pipeline", "sampling", "hub", "plain", "vecmath"},
	"catalogue":    {},
	"assets":       {},
	"chats":        {"durable", "regular"},
	"durable":      {},
	"filenames":    {},
	"regular":      {},
	"formula":      {},
	"markdown":     {"plain"},
	"plain":        {},
	"engine":       {},
	"vecmath":      {},
	"loopback":     {},
	"mapped":       {},
	"scripts":      {"pipeline", "models", "weights", "cpubackend", "metalbackend", "gpu", "engine", "documents", "app", "ui", "catalogue", "hub"}, // measurements of parts and of the window, and what they are measured with
}

// mayImportWithin is the same for the parts of ui, gpu and metalbackend. No panel of ui imports
// another, and only the window imports them; "app/..." is app and everything below it. In metalbackend,
// emulated and cuda are above or beside the backend, which uses them only through objc.Runtime.
var mayImportWithin = map[string][]string{
	"ui":             {"app/...", "ui/kit", "ui/panel", "ui/chat", "ui/documents", "ui/models", "ui/similarity", "ui/classify", "ui/rerank", "ui/performance", "ui/devices", "ui/settings", "ui/filedialog", "ui/filedialog/system", "ui/places"},
	"ui/glyphs":      {},
	"ui/kit":         {"plain", "regular", "ui/glyphs"},
	"ui/filedialog":  {"ui/filedialog/system", "ui/kit"},
	"ui/prose":       {"formula", "formula/mathfont", "formula/typeset", "markdown", "ui/glyphs", "ui/kit"},
	"ui/chart":       {"ui/kit"},
	"ui/panel":       {"app/...", "filenames", "regular", "ui/kit"},
	"ui/chat":        {"app/...", "markdown", "plain", "regular", "ui/chat/chatlist", "ui/chat/finding", "ui/chat/sidebyside", "ui/chat/sources", "ui/chat/tooluse", "ui/firstmodel", "ui/kit", "ui/panel", "ui/prose"},
	"ui/documents":   {"app/...", "documents", "documents/shape", "markdown", "ui/documents/grid", "ui/excerpt", "ui/find", "ui/kit", "ui/panel", "ui/prose"},
	"ui/models":      {"app/...", "markdown", "plain", "ui/kit", "ui/panel", "ui/prose"},
	"ui/ways":        {"app/...", "ui/kit", "ui/panel"},
	"ui/textlist":    {"app/...", "ui/kit", "ui/panel"},
	"ui/excerpt":     {"ui/kit"},
	"ui/find":        {"ui/kit"},
	"ui/firstmodel":  {"app/...", "ui/kit", "ui/panel"},
	"ui/similarity":  {"app/...", "ui/chart", "ui/kit", "ui/panel", "ui/textlist"},
	"ui/classify":    {"app/...", "ui/kit", "ui/panel", "ui/textlist"},
	"ui/rerank":      {"app/...", "ui/excerpt", "ui/kit", "ui/panel", "ui/textlist"},
	"ui/performance": {"app/...", "ui/chart", "ui/kit", "ui/panel", "ui/ways"},
	"ui/devices":     {"app/...", "ui/chart", "ui/kit", "ui/panel", "ui/ways"},
	"ui/settings":    {"plain", "app/...", "server", "server/local", "ui/kit", "ui/panel"},
	"ui/scripted":    {"app/...", "documents", "server", "server/local"},
	"ui/uitest":      {"app/...", "ui/kit", "ui/panel"}, // for tests
	"ui/master":      {},                                // for tests
	"ui/places":      {"ui/kit"},                        // for the walk through the real window

	"ui/filedialog/system": {},
	"ui/chat/chatlist":     {"app/...", "ui/find", "ui/kit", "ui/panel"},
	"ui/chat/finding":      {"markdown", "ui/find", "ui/kit", "ui/panel", "ui/prose"},
	"ui/chat/tooluse":      {"app/...", "plain", "ui/kit"},
	"ui/chat/sidebyside":   {"ui/kit"},
	"ui/chat/sources":      {"app/...", "markdown", "ui/kit", "ui/prose"},
	"ui/documents/grid":    {"plain", "ui/kit"},

	"gpu":                      {"engine"},
	"gpu/lower":                {"engine", "gpu"},
	"gpu/msl":                  {},
	"gpu/emulator":             {"gpu"},
	"gpu/emulator/native/shim": {},
	"metalbackend":             {"engine", "engine/quant", "gpu", "gpu/lower", "gpu/msl", "metalbackend/kernels", "metalbackend/objc"},
	"metalbackend/kernels":     {},
	"metalbackend/objc":        {},
	"metalbackend/fake":        {"gpu", "gpu/msl", "metalbackend/objc"},
	"metalbackend/cuda":        {"cudabackend/driver", "cudabackend/nvrtc", "gpu", "gpu/msl", "metalbackend/fake"},
	"cudabackend":              {"cudabackend/driver", "cudabackend/nvrtc", "cudabackend/own", "durable", "engine", "engine/quant", "gpu", "gpu/emulator/native/shim", "gpu/lower", "gpu/msl", "metalbackend/kernels"},
	"cudabackend/driver":       {},
	"cudabackend/nvrtc":        {"cudabackend/driver", "gpu/emulator/native/shim", "gpu/msl"},
	"cudabackend/fake":         {"cudabackend/driver", "gpu", "gpu/msl"},
	"cudabackend/own":          {"engine", "gpu", "gpu/msl"},
	"metalbackend/emulated":    {"gpu/emulator", "metalbackend", "metalbackend/fake"},
}

// appParts is the one direction within app: a part uses the parts below it, and only app itself
// uses them all. The window and the command line use the parts as well.
var appParts = map[string][]string{
	"app":           {"app/base", "app/devices", "app/servers", "app/library", "app/fit", "app/pool", "app/held", "app/downloads", "app/texts", "app/documents", "app/chat", "app/tokens", "app/tools", "app/measure"},
	"app/measure":   {"app/base", "app/devices", "app/library", "app/fit", "app/pool", "app/texts", "app/chat", "app/usage"},
	"app/chat":      {"app/base", "app/devices", "app/library", "app/fit", "app/pool", "app/documents", "app/guide", "app/tools"},
	"app/guide":     {},
	"app/tokens":    {"app/base"},
	"app/tools":     {"app/base", "app/documents"},
	"app/texts":     {"app/base", "app/devices", "app/held", "app/library", "app/pool"},
	"app/documents": {"app/base", "app/devices", "app/held", "app/library", "app/pool"},
	"app/held":      {"app/base", "app/devices", "app/library", "app/pool", "app/usage"},
	"app/downloads": {"app/base", "app/devices", "app/library", "app/fit", "app/pool"},
	"app/pool":      {"app/base", "app/devices", "app/library", "app/fit", "app/servers"},
	"app/fit":       {"app/base", "app/devices", "app/library", "app/usage"},
	"app/library":   {"app/base", "app/servers"},
	"app/servers":   {"app/base"},
	"app/devices":   {"app/base", "app/usage"},
	"app/base":      {},
	"app/usage":     {},
	"app/locale":    {},
	"app/apptest":   {},
}

// pipelineParts is the same within pipeline.
var pipelineParts = map[string][]string{
	"pipeline":              {"pipeline/decoding", "pipeline/drafting", "pipeline/placement", "pipeline/memory", "pipeline/words", "pipeline/chattemplate", "pipeline/judge", "pipeline/labels", "pipeline/modules", "pipeline/pictures", "pipeline/smallfile", "pipeline/toolcall"},
	"pipeline/judge":        {"pipeline/chattemplate", "pipeline/modules", "pipeline/smallfile"},
	"pipeline/decoding":     {"pipeline/placement", "pipeline/memory"},
	"pipeline/drafting":     {"pipeline/decoding"},
	"pipeline/placement":    {},
	"pipeline/memory":       {},
	"pipeline/words":        {"pipeline/chattemplate", "pipeline/smallfile", "pipeline/toolcall"},
	"pipeline/chattemplate": {"pipeline/smallfile", "pipeline/toolcall"},
	"pipeline/labels":       {},
	"pipeline/modules":      {"pipeline/smallfile"},
	"pipeline/pictures":     {"pipeline/smallfile"},
	"pipeline/smallfile":    {},
	"pipeline/toolcall":     {},
}

// modelParts is the same within models.
var modelParts = map[string][]string{
	"models":          {"models/encoders", "models/decoders", "models/family", "models/nn"},
	"models/encoders": {"models/family", "models/nn"},
	"models/decoders": {"models/encoders", "models/family", "models/nn"},
	"models/family":   {"models/nn"},
	"models/nn":       {},
}

// hubParts is the same within hub.
var hubParts = map[string][]string{
	"hub":         {"hub/cache", "hub/fault", "hub/repo"},
	"hub/cache":   {"hub/fault", "hub/repo"},
	"hub/fault":   {},
	"hub/repo":    {},
	"hub/hubtest": {},
}

// tokenizerParts is the same within tokenizer.
var tokenizerParts = map[string][]string{
	"tokenizer":            {"tokenizer/convert", "tokenizer/definition", "tokenizer/pieces"},
	"tokenizer/convert":    {"tokenizer/definition", "tokenizer/patterns", "tokenizer/rawjson"},
	"tokenizer/pieces":     {"tokenizer/definition", "tokenizer/patterns"},
	"tokenizer/definition": {"tokenizer/patterns", "tokenizer/rawjson"},
	"tokenizer/patterns":   {},
	"tokenizer/rawjson":    {},
}

// jinjaParts is the same within jinja.
var jinjaParts = map[string][]string{
	"jinja":        {"jinja/syntax"},
	"jinja/syntax": {},
}

// reachesMetal lists the parts of metalbackend that the rest of the program may import.
var reachesMetal = []string{"metalbackend", "metalbackend/emulated"}

var (
	mayImportFyne = []string{"main", "ui"}
	mayUseCgo     = []string{"tokenizer", "cpubackend"}
)

const (
	maxLines = 600
	maxFiles = 29 // files of a package that are part of the program
)

// goPackage is what go list says of one package on one platform.
type goPackage struct {
	ImportPath                         string
	CgoFiles                           []string
	Imports, TestImports, XTestImports []string
}

// area returns the first part of a package's path within the module, which is its name in the rules.
func (p goPackage) area() string {
	path, _, _ := strings.Cut(strings.TrimPrefix(p.ImportPath, "inglenook/"), "/")
	if path == "inglenook" {
		return "main"
	}
	return path
}

// goList lists the module's packages as they are built for an operating system, with their imports,
// even if they cannot be built from here.
func goList(t *testing.T, goos string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,CgoFiles,Imports,TestImports,XTestImports", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list for %s: %v\n%s", goos, err, &stderr)
	}
	var packages []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func TestImportRules(t *testing.T) {
	for _, goos := range []string{"linux", "darwin"} {
		t.Run(goos, func(t *testing.T) {
			packages := goList(t, goos)
			if len(packages) < 2 {
				t.Fatalf("go list knows only %d packages", len(packages))
			}
			for _, p := range packages {
				checkImports(t, p)
			}
		})
	}
}

// measuresWindow is the one program beside main that opens the window.
const measuresWindow = "inglenook/scripts/framegaps"

func checkImports(t *testing.T, p goPackage) {
	area := p.area()
	allowed, known := mayImport[area]
	if !known {
		t.Errorf("%s has no place in the architecture: add it to ARCHITECTURE.md and to mayImport", p.ImportPath)
	}
	for _, path := range p.Imports {
		if !strings.HasPrefix(path, "inglenook/") {
			continue
		}
		imported := goPackage{ImportPath: path}.area()
		if imported != area && !slices.Contains(allowed, imported) {
			t.Errorf("%s may not import %s", p.ImportPath, path)
		}
		if within, ok := mayImportWithin[strings.TrimPrefix(p.ImportPath, "inglenook/")]; area == "ui" || area == "metalbackend" || area == "cudabackend" || area == "gpu" {
			if !ok || !permits(within, strings.TrimPrefix(path, "inglenook/")) {
				t.Errorf("%s may not import %s", p.ImportPath, path)
			}
		} else if strings.HasPrefix(path, "inglenook/metalbackend") && area != "scripts" && !slices.Contains(reachesMetal, strings.TrimPrefix(path, "inglenook/")) {
			t.Errorf("%s may not import %s: only %s", p.ImportPath, path, strings.Join(reachesMetal, " and "))
		}
		if parts, part := appParts[strings.TrimPrefix(p.ImportPath, "inglenook/")], strings.TrimPrefix(path, "inglenook/"); area == "app" && imported == "app" && !slices.Contains(parts, part) {
			t.Errorf("%s may not import %s", p.ImportPath, path)
		}
		if parts, part := pipelineParts[strings.TrimPrefix(p.ImportPath, "inglenook/")], strings.TrimPrefix(path, "inglenook/"); area == "pipeline" && imported == "pipeline" && !slices.Contains(parts, part) {
			t.Errorf("%s may not import %s", p.ImportPath, path)
		}
		if parts, part := modelParts[strings.TrimPrefix(p.ImportPath, "inglenook/")], strings.TrimPrefix(path, "inglenook/"); area == "models" && imported == "models" && !slices.Contains(parts, part) {
			t.Errorf("%s may not import %s", p.ImportPath, path)
		}
		if parts, part := hubParts[strings.TrimPrefix(p.ImportPath, "inglenook/")], strings.TrimPrefix(path, "inglenook/"); area == "hub" && imported == "hub" && !slices.Contains(parts, part) {
			t.Errorf("%s may not import %s", p.ImportPath, path)
		}
		if parts, part := tokenizerParts[strings.TrimPrefix(p.ImportPath, "inglenook/")], strings.TrimPrefix(path, "inglenook/"); area == "tokenizer" && imported == "tokenizer" && !slices.Contains(parts, part) {
			t.Errorf("%s may not import %s", p.ImportPath, path)
		}
		if parts, part := jinjaParts[strings.TrimPrefix(p.ImportPath, "inglenook/")], strings.TrimPrefix(path, "inglenook/"); area == "jinja" && imported == "jinja" && !slices.Contains(parts, part) {
			t.Errorf("%s may not import %s", p.ImportPath, path)
		}
		if p.ImportPath == "inglenook/scripts/loopbackhub" {
			continue // it serves tests of the window
		}
		if path == "inglenook/engine/enginetest" || path == "inglenook/hub/hubtest" || path == "inglenook/app/apptest" || path == "inglenook/documents/support/supporttest" || path == "inglenook/ui/uitest" || path == "inglenook/ui/master" {
			t.Errorf("%s imports %s, which is for tests only", p.ImportPath, path)
		}
	}
	for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
		if strings.HasPrefix(path, "fyne.io/") && !slices.Contains(mayImportFyne, area) && p.ImportPath != measuresWindow {
			t.Errorf("%s imports %s; only %s may know Fyne", p.ImportPath, path, strings.Join(mayImportFyne, " and "))
		}
		if path == "fyne.io/fyne/v2/app" && area != "main" && p.ImportPath != measuresWindow {
			t.Errorf("%s imports %s; only main may bring in the driver", p.ImportPath, path)
		}
	}
	if len(p.CgoFiles) > 0 && !slices.Contains(mayUseCgo, area) {
		t.Errorf("%s uses cgo in %v; only %s may", p.ImportPath, p.CgoFiles, strings.Join(mayUseCgo, " and "))
	}
}

// permits reports whether a path is in a list; "x/..." means x and everything below it.
func permits(some []string, path string) bool {
	return slices.ContainsFunc(some, func(rule string) bool {
		root, below := strings.CutSuffix(rule, "/...")
		return path == root || below && strings.HasPrefix(path, root+"/")
	})
}

// ofOneMachine finds paths below a user's home folder. Tests may make up such paths.
var ofOneMachine = regexp.MustCompile(`(?:^|[^\w/.~-])/(?:root|home/\w+|Users/\w+)/`)

// TestPackagesAreSmall counts the files of each package that are part of the program.
func TestPackagesAreSmall(t *testing.T) {
	files := map[string]int{}
	for _, name := range sources(t, ".") {
		files[path.Dir(name)]++
	}
	if len(files) < 2 {
		t.Fatalf("%d packages", len(files))
	}
	for name, n := range files {
		if n > maxFiles {
			t.Errorf("package %s has %d files; split it (at most %d)", name, n, maxFiles)
		}
	}
}

func TestFiles(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	source := []string{".go", ".c", ".h", ".cpp", ".metal", ".s", ".sh", ".py"}
	text := append([]string{"", ".md", ".toml", ".yml", ".mod", ".svg"}, source...)

	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			name := entry.Name()
			if path == "build" || path == "bin" || name == "testdata" || name == ".git" || name == ".venv" {
				return filepath.SkipDir
			}
			return nil
		}
		kind := filepath.Ext(path)
		if !slices.Contains(text, kind) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := bytes.Count(data, []byte("\n")); slices.Contains(source, kind) && n > maxLines {
			t.Errorf("%s has %d lines; split it (at most %d)", path, n, maxLines)
		}
		if bytes.Contains(data, []byte(root+"/")) {
			t.Errorf("%s names this checkout's own path, %s", path, root)
		}
		if found := ofOneMachine.Find(data); found != nil && !strings.HasSuffix(path, "_test.go") {
			t.Errorf("%s names a path of one machine: %q", path, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// writesClipboard finds Fyne's ways to write the clipboard.
var writesClipboard = regexp.MustCompile(`Clipboard\(\)|Clipboard\.SetContent`)

// One function writes the clipboard, since X11 ends a program that copies too much.
func TestOneFunctionWritesTheClipboard(t *testing.T) {
	const writer = "ui/kit/clipboard.go"
	found := 0
	for _, path := range sources(t, "ui") {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch writes := writesClipboard.Match(source); {
		case writes && path == writer:
			found++
		case writes:
			t.Errorf("%s writes the clipboard: use kit.ToClipboard, or Copy of a panel's host", path)
		}
	}
	if found != 1 {
		t.Errorf("%s does not write the clipboard: this test looks for the wrong words", writer)
	}
}
