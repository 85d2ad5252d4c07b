package msl

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// sample has one of everything that the dialect knows.
func sample(t testing.TB) string {
	data, err := os.ReadFile("testdata/sample.metal")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestProgram(t *testing.T) {
	p, err := Parse(sample(t))
	if err != nil {
		t.Fatal(err)
	}

	var names []string
	for _, k := range p.Kernels {
		names = append(names, k.Name+"="+k.Func)
	}
	if got, want := strings.Join(names, " "), "scale=scale tiles_f32=tiles<float, Twice> tiles_f16=tiles<half, Once>"; got != want {
		t.Errorf("kernels %s, want %s", got, want)
	}

	k := p.Kernel("scale")
	if k == nil || len(k.Params) != 6 {
		t.Fatalf("scale is %+v", k)
	}
	for i, want := range []Param{
		{"args", "constant ScaleArgs &", Buffer, 0, "buffer", false, "ScaleArgs"},
		{"x", "device const float *", Buffer, 1, "buffer", false, ""},
		{"y", "device float *", Buffer, 2, "buffer", true, ""},
		{"partial", "threadgroup float *", Threadgroup, 0, "threadgroup", false, ""},
		{"at", "uint2", Position, -1, "thread_position_in_grid", false, ""},
		{"lane", "ushort", Position, -1, "thread_index_in_simdgroup", false, ""},
	} {
		if k.Params[i] != want {
			t.Errorf("parameter %d is %+v, want %+v", i, k.Params[i], want)
		}
	}
	if len(k.Constants) != 1 || k.Constants[0] != 7 {
		t.Errorf("scale reads the constants %v, want the 7 of the function that it calls", k.Constants)
	}
	if got := p.Kernel("tiles_f32").Constants; len(got) != 2 || got[0] != 7 || got[1] != 8 {
		t.Errorf("tiles_f32 reads the constants %v, want 7 and the 8 of its template argument", got)
	}
	if got := p.Kernel("tiles_f16").Constants; len(got) != 0 {
		t.Errorf("tiles_f16 reads the constants %v, want none", got)
	}
	if k.File != "sample.metal" || k.Line != 20 {
		t.Errorf("scale is in %s, line %d", k.File, k.Line)
	}

	if want := (Constant{"FC_twice", 7}); p.Constants[0] != want || len(p.Constants) != 2 {
		t.Errorf("constants %+v", p.Constants)
	}
	s := p.Struct("ScaleArgs")
	if s == nil || len(s.Fields) != 3 || s.Fields[1] != (Field{"m", "int", ""}) || s.Fields[2] != (Field{"factor", "float", ""}) {
		t.Errorf("ScaleArgs is %+v", s)
	}
	if b := p.Struct("Block"); b == nil || b.Fields[1] != (Field{"values", "uchar", "SIZE / 2"}) {
		t.Errorf("Block is %+v", b)
	}
}

func TestLint(t *testing.T) {
	const before = "#include <metal_stdlib>\nusing namespace metal;\nstruct A { int n; };\n"
	const kernel = "kernel void k(constant A & a [[buffer(0)]], device float * y [[buffer(1)]], uint i [[thread_position_in_grid]]) "
	for _, c := range []struct{ name, source, want string }{
		{"include", "#include <cstring>", "line 4: #include <cstring>"},
		{"macro", "#define X 1", "line 4: #define"},
		{"no attribute", "kernel void k(device float * y) {}", "line 4: kernel k"},
		{"index missing", "kernel void k(device float * y [[buffer]]) {}", "plain number"},
		{"index too high", "kernel void k(device float * y [[buffer(31)]]) {}", "up to 30"},
		{"index named", "kernel void k(device float * y [[buffer(N)]]) {}", "plain number"},
		{"index twice", "kernel void k(device float * y [[buffer(1)]], device float * z [[buffer(1)]]) {}", "both [[buffer(1)]]"},
		{"buffer by value", "kernel void k(float y [[buffer(1)]]) {}", "pointer or reference"},
		{"buffer of threadgroup", "kernel void k(threadgroup float * y [[buffer(1)]]) {}", "device or constant"},
		{"position type", "kernel void k(int i [[thread_position_in_grid]]) {}", "uint or ushort"},
		{"position vector", "kernel void k(uint2 i [[thread_index_in_simdgroup]]) {}", "uint or ushort"},
		{"dimensions", "kernel void k(uint2 i [[thread_position_in_grid]], uint3 j [[threads_per_grid]]) {}", "different dimensions"},
		{"attribute", "kernel void k(texture2d<float> t [[texture(0)]]) {}", "[[texture]]"},
		{"result", "kernel int k(device float * y [[buffer(1)]]) {}", "return void"},
		{"attribute elsewhere", "struct B { int n [[id(0)]]; };", "[[id]]"},
		{"argument type", "struct B { half h; };\nkernel void k(constant B & b [[buffer(0)]]) {}", "B.h"},
		{"argument array", "struct B { int h[2]; };\nkernel void k(constant B & b [[buffer(0)]]) {}", "B.h"},
		{"argument unknown", "kernel void k(constant C & b [[buffer(0)]]) {}", "C is no struct"},
		{"never instantiated", "template <typename T>\nkernel void k(device T * y [[buffer(1)]]) {}", "line 5: kernel template k"},
		{"unknown template", "template [[host_name(\"k\")]] kernel decltype(f<int>) f<int>;", "no kernel template"},
		{"bad instantiation", "template [[host_name(k)]] kernel decltype(f<int>) f<int>;", "an instantiation reads"},
		{"kernel twice", kernel + "{}\n" + kernel + "{}", "second kernel"},
		{"struct twice", "struct A { int m; };", "two structs"},
		{"constant type", "constant bool FC_x [[function_constant(1)]];", "a function constant reads"},
		{"constant index twice", "constant int FC_x [[function_constant(1)]];\nconstant int FC_y [[function_constant(1)]];", "line 5: function constant FC_y"},
		{"threadgroup variable", kernel + "{ int n = 1; threadgroup float t[4]; }", "threadgroup memory comes"},
		{"threadgroup in helper", "static float f() { threadgroup float t; return 0.0f; }", "threadgroup memory comes"},
		{"bare pointer", kernel + "{ float * p = y; }", "where it points"},
		{"bare const pointer", kernel + "{ const float * p = y; }", "where it points"},
		{"bare parameter", "static float f(float * p) { return 0.0f; }", "where it points"},
		{"bare reference", "static float f(A & a) { return 0.0f; }", "where it points"},
		{"bare template parameter", "template <typename T> static float f(T * p) { return 0.0f; }", "where it points"},
		{"bare matrix", "static float f(simdgroup_matrix<float, 8, 8> & m) { return 0.0f; }", "where it points"},
		{"bare cast", kernel + "{ auto p = (float *) y; }", "where it points"},
		{"array parameter", "static float f(float p[4]) { return 0.0f; }", "array as a parameter"},
		{"lambda", kernel + "{ auto f = [](float x) { return x; }; }", "lambda"},
		{"lambda passed", kernel + "{ g([&] { return 1; }); }", "lambda"},
		{"recursion", "static float f(float x) { return f(x); }", "line 4: f calls itself"},
		{"long recursion", "static float f(float x);\nstatic float g(float x) { return f(x); }\nstatic float f(float x) { return g(x); }", "Metal has no recursion"},
		{"double", kernel + "{ double d = 1.0; }", "line 4: double"},
		{"double literal", kernel + "{ float d = 1.0; }", "write 1.0f"},
		{"second threadgroup memory", "kernel void k(threadgroup float * a [[threadgroup(0)]], threadgroup float * b [[threadgroup(1)]]) { }", "b lies behind the threadgroup memory at index 0"},
		{"denormal", "constant float e = 1e-38f;", "1e-38f is a denormal"},
		{"no number", kernel + "{ float w = NAN; }", "write as_type<float>(0x7fc00000)"},
		{"double exponent", "constant float e = 1e-5;", "write 1e-5f"},
		{"goto", kernel + "{ goto out; out: ; }", "goto"},
		{"std", kernel + "{ float m = std::max(1.0f, 2.0f); }", "std"},
		{"long long", kernel + "{ long long d = 1; }", "long long"},
		{"infinity", kernel + "{ float m = -INFINITY; }", "-FLT_MAX"},
		{"atomics", kernel + "{ atomic_int d; }", "atomic_int"},
		{"variable at file scope", "constexpr int N = 4;", "has to be constant"},
		{"table at file scope", "const float t[2] = { 1.0f, 2.0f };", "has to be constant"},
		{"unbalanced", kernel + "{ (] }", "does not close"},
		{"never closed", kernel + "{", "never closed"},
		{"closes nothing", "}", "closes nothing"},
		{"comment without end", "/* x", "no end"},
		{"string without end", "\"x", "no end"},
		{"strange character", "int a = `b`;", "outside the dialect"},
		{"no semicolon", "struct B { int n; }", "without an end"},
		{"line of its file", "#line 7 \"a.metal\"\n\ndouble f() { return 0.0f; }", "a.metal:8: double"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse(before + c.source)
			if err == nil {
				t.Fatalf("accepted: %+v", p.Kernels)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("says %q, want %q in it", err, c.want)
			}
			var e *Error
			if !errors.As(err, &e) || e.Line == 0 || e.Reason == "" {
				t.Errorf("is no *Error with a line: %#v", err)
			}
		})
	}
}

// TestAccepts: the parser accepts what only looks like a violation.
func TestAccepts(t *testing.T) {
	for _, c := range []struct{ name, source string }{
		{"product of a conversion", "static float f(float a, float b) { return float(a) * b; }"},
		{"helper named as a local", "static float scale(float a) { return a; }\nstatic float f(float a) { const float scale = a; return scale < a ? scale : a; }"},
		{"kernel with a local of its name", "kernel void k(device float * y [[buffer(0)]]) { float k = 1.0f; y[0] = k; }"},
		{"reference to an array", "static float f(thread float (&a)[4]) { return a[0]; }"},
		{"indexes of indexes", "static float f(thread float * a, thread int * b) { return a[b[0]]; }"},
		{"constant tables", "constant float table[2] = { 1.0f, 2.0f };"},
		{"declaration ahead", "static inline float f(float a);"},
		{"struct with functions", "struct Q { static int size() { return 4; } int n; };"},
		{"struct template", "template <typename T> struct Q { T x; static T zero() { return T(0); } };"},
		{"specialization", "template <typename T> struct Q { T x; };\ntemplate <> struct Q<half> { float x; };"},
		{"pointer to pointer space", "static float f(device const float4 * a) { return a[0].x; }"},
		{"exponents", "constant float e = 1.0e-5f;\nconstant float g = 0x1fu;"},
		{"loop unrolled by two", "static float f(float a) {\n#pragma unroll(2)\nfor (int i = 0; i < 4; i++) { a += 1.0f; }\nreturn a; }"},
		{"static member of a kernel's helper", "static float f(float a) {\n#pragma unroll\nfor (int i = 0; i < 4; i++) { a += 1.0f; }\nreturn a; }"},
	} {
		if _, err := Parse("using namespace metal;\n" + c.source); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestErrorsAreFew(t *testing.T) {
	_, err := Parse(strings.Repeat("double x;\n", 1000))
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) != maxErrors {
		t.Errorf("%d bytes of errors", len(err.Error()))
	}
}

func TestTruncated(t *testing.T) {
	source := sample(t)
	for n := range source {
		p, err := Parse(source[:n])
		if err == nil {
			write(t, p)
		}
	}
}

// TestParseIsQuick: ten times the source takes about ten times as long.
func TestParseIsQuick(t *testing.T) {
	_, body, _ := strings.Cut(sample(t), "// kernels\n")
	parse := func(lines int) time.Duration {
		source := strings.Repeat(body, 1+lines/strings.Count(body, "\n"))
		start := time.Now()
		_, _ = Parse(source) // the names repeat: an error at the end of all the work
		return time.Since(start)
	}
	if small, large := parse(1000), parse(10_000); large > 40*small+2*time.Second {
		t.Errorf("1,000 lines took %v, 10,000 %v", small, large)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample(f))
	f.Add("template [[host_name(\"a\")]] kernel a a<>;")
	f.Add("struct A{int a,b[2];};kernel void k(constant A&a[[buffer(0)]]){}")
	f.Fuzz(func(t *testing.T, source string) {
		p, err := Parse(source)
		if err == nil {
			write(t, p)
		}
	})
}
