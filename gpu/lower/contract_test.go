package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/gpu/msl"
)

// declared holds what this package's source declares for the kernels.
type declared struct {
	structs   map[string][]msl.Field // types ...Args, by spelled name
	constants map[string]int         // indexes of function constants fc..., by spelled name
}

// declarations reads the package's source.
func declarations(t *testing.T) declared {
	t.Helper()
	found := declared{map[string][]msl.Field{}, map[string]int{}}
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
			switch n := n.(type) {
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok && strings.HasSuffix(n.Name.Name, "Args") {
					found.structs[spelled(n.Name.Name)] = fields(s)
				}
			case *ast.ValueSpec:
				if len(n.Values) == 1 && strings.HasPrefix(n.Names[0].Name, "fc") {
					if number, ok := n.Values[0].(*ast.BasicLit); ok {
						found.constants[spelled(n.Names[0].Name)], _ = strconv.Atoi(number.Value)
					}
				}
			}
			return true
		})
	}
	return found
}

// fields lists the fields of a struct with their types in the kernels.
func fields(s *ast.StructType) (list []msl.Field) {
	types := map[string]string{"int32": "int", "uint32": "uint", "float32": "float"}
	for _, f := range s.Fields.List {
		kind, _ := f.Type.(*ast.Ident)
		for _, name := range f.Names {
			field := msl.Field{Name: name.Name}
			if kind != nil {
				field.Type = types[kind.Name]
			}
			list = append(list, field)
		}
	}
	return list
}

// spelled returns a name without the conventions of its language.
func spelled(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// Lowering and kernels have the same argument structs: the same fields in the same
// order, of 32 bits each.
func TestArgumentStructs(t *testing.T) {
	p, hosts := program(t), declarations(t).structs
	for _, k := range p.Kernels {
		if !slices.ContainsFunc(k.Params, func(p msl.Param) bool { return p.Kind == msl.Buffer && p.Index == 0 && p.Struct != "" }) {
			t.Errorf("%s has no arguments at index 0", k.Name)
		}
		for _, param := range k.Params {
			if param.Kind == msl.Buffer && param.Struct != "" && hosts[spelled(param.Struct)] == nil {
				t.Errorf("%s: there is no %s here", k.Name, param.Struct)
			}
		}
	}
	for name, host := range hosts {
		i := slices.IndexFunc(p.Structs, func(s msl.Struct) bool { return spelled(s.Name) == name })
		if i < 0 {
			t.Errorf("%s is in no kernel", name)
			continue
		}
		twin := p.Structs[i].Fields
		if len(host) != len(twin) {
			t.Errorf("%s has %d fields here and %d in the kernels", name, len(host), len(twin))
			continue
		}
		for i, f := range twin {
			if f.Array != "" || host[i].Type != f.Type || spelled(host[i].Name) != spelled(f.Name) {
				t.Errorf("field %d of %s is %s %s here and %s %s%s in the kernels", i, name, host[i].Type, host[i].Name, f.Type, f.Name, f.Array)
			}
		}
	}
}

// Function constants have the same indexes in the kernels, FC_x, and here, fcX.
func TestFunctionConstants(t *testing.T) {
	host, used := declarations(t).constants, program(t).Constants
	for _, c := range used {
		if index, ok := host[spelled(c.Name)]; !ok || index != c.Index {
			t.Errorf("%s has the index %d; here it is %d", c.Name, c.Index, index)
		}
	}
	if len(used) != len(host) {
		t.Errorf("there are %d function constants here and %d in the kernels", len(host), len(used))
	}
}

// Each operation has a file of its name here. The name of a kernel begins with that
// of a file here, and so does the name of the file that it is in.
func TestFileNames(t *testing.T) {
	exists := func(pattern string) bool {
		found, err := filepath.Glob(pattern)
		return err == nil && len(found) > 0
	}
	for _, op := range engine.Ops() {
		if !exists(op.String() + ".go") {
			t.Errorf("%s has no file", op)
		}
	}
	for _, k := range program(t).Kernels {
		name := k.Name
		for !exists(name+".go") && strings.Contains(name, "_") {
			name = name[:strings.LastIndex(name, "_")]
		}
		if !exists(name+".go") || !exists("../../metalbackend/kernels/"+name+"*.metal") {
			t.Errorf("the kernel %s belongs to no file here, or to none of the kernels", k.Name)
		}
	}
}
