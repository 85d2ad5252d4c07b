package metalbackend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"inglenook/gpu/msl"
	"inglenook/metalbackend/kernels"
)

// argumentStructs are the argument structs of all kernels, in Go. Each is named
// like its twin in the kernels' source.
var argumentStructs = []any{
	addArgs{},
	attentionArgs{},
	attentionBiasArgs{},
	attentionMergeArgs{},
	cacheArgs{},
	embedArgs{},
	gateArgs{},
	l2NormalizeArgs{},
	layerNormArgs{},
	linearArgs{},
	poolArgs{},
	rmsNormArgs{},
	ropeArgs{},
	rowsArgs{},
	scaleArgs{},
	softCapArgs{},
}

func program(t *testing.T) *msl.Program {
	t.Helper()
	p, err := msl.Parse(kernels.Source())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// spelled is a name without the habits of a language.
func spelled(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// Host and kernels have the same fields in the same order: 32 bits each.
func TestArgumentStructs(t *testing.T) {
	types := map[string]reflect.Kind{"int": reflect.Int32, "uint": reflect.Uint32, "float": reflect.Float32}
	hosts := map[string]reflect.Type{}
	for _, s := range argumentStructs {
		hosts[spelled(reflect.TypeOf(s).Name())] = reflect.TypeOf(s)
	}
	p := program(t)
	for _, k := range p.Kernels {
		if !slices.ContainsFunc(k.Params, func(p msl.Param) bool { return p.Kind == msl.Buffer && p.Index == 0 && p.Struct != "" }) {
			t.Errorf("%s has no arguments at index 0", k.Name)
		}
		for _, param := range k.Params {
			if param.Kind != msl.Buffer || param.Struct == "" {
				continue
			}
			if hosts[spelled(param.Struct)] == nil {
				t.Errorf("%s: %s has no twin among argumentStructs", k.Name, param.Struct)
			}
		}
	}
	for name, host := range hosts {
		i := slices.IndexFunc(p.Structs, func(s msl.Struct) bool { return spelled(s.Name) == name })
		if i < 0 {
			t.Errorf("%s has no twin in the kernels", host.Name())
			continue
		}
		twin := p.Structs[i]
		if host.NumField() != len(twin.Fields) || int(host.Size()) != 4*len(twin.Fields) {
			t.Errorf("%s has %d fields of %d bytes, its twin %d", host.Name(), host.NumField(), host.Size(), len(twin.Fields))
			continue
		}
		for i, f := range twin.Fields {
			h := host.Field(i)
			if f.Array != "" || h.Type.Kind() != types[f.Type] || spelled(h.Name) != spelled(f.Name) {
				t.Errorf("field %d of %s is %s %s; its twin has %s %s%s", i, host.Name(), h.Type, h.Name, f.Type, f.Name, f.Array)
			}
		}
	}
}

// Function constants have the indexes that the host sets: FC_x is fcX there.
func TestFunctionConstants(t *testing.T) {
	host := map[string]int{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 && strings.HasPrefix(v.Names[0].Name, "fc") {
				if number, ok := v.Values[0].(*ast.BasicLit); ok {
					host[spelled(v.Names[0].Name)], _ = strconv.Atoi(number.Value)
				}
			}
			return true
		})
	}
	used := 0
	for _, c := range program(t).Constants {
		if index, ok := host[spelled(c.Name)]; !ok || index != c.Index {
			t.Errorf("%s has the index %d; the host sets %d", c.Name, c.Index, index)
		}
		used++
	}
	if used != len(host) {
		t.Errorf("the host has %d function constants, the kernels %d", len(host), used)
	}
}
