package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/pool"
	"inglenook/engine"
	"inglenook/gpu/emulator"
	"inglenook/metalbackend"
	"inglenook/metalbackend/fake"
	"inglenook/pipeline"
)

// moment is when something goes wrong with the GPU.
type moment string

const (
	atOpen   moment = "open"   // before the device is opened
	atTest   moment = "test"   // before it is tested
	atLoad   moment = "load"   // before a model is loaded
	atPrompt moment = "prompt" // before the model reads the prompt
	atAnswer moment = "answer" // when the first token is there
)

// trouble is something that goes wrong with Metal, and what a person hears of it. The
// text of an answer is the CPU's in all of them. Refusals of a kernel last: several forms
// of it are made at the same time, and which is the first differs from run to run.
type trouble struct {
	gpu   fake.Options
	fault fake.Fault
	at    moment
	stays bool   // the GPU is in use afterwards
	told  string // beside the first answer, in one sentence; "": nothing
	falls bool   // an operation runs on the CPU, and the answer lists it
	gives bool   // so many do that the next answer is the CPU's: the work would pass to and fro
	page  string // on the page of the device; "": not looked at
}

// The messages at which Metal ends the program in the tests.
const (
	makesQueue   = "newCommandQueue"
	compiles     = "newLibraryWithSource:options:error:"
	makesBuffer  = "newBufferWithLength:options:"
	commits      = "commit"
	afterItEnded = "The program ended while "
)

var troubles = map[string]trouble{
	"none":                         {stays: true, page: "Passed"},
	"no GPU":                       {gpu: fake.Options{NoDevice: true}, page: "Metal finds no GPU"},
	"no default GPU":               {gpu: fake.Options{NoDefault: true}, stays: true, page: "Passed"},
	"pipelines of 384 threads":     {gpu: fake.Options{MaxThreads: 384}, stays: true, page: "Passed"},
	"no residency sets":            {gpu: fake.Options{NoResidency: true}, stays: true, page: "Passed"},
	"a residency set is nil":       {at: atOpen, fault: fake.Fault{Kind: fake.NilResidencySet, At: 1}, stays: true, page: "Passed"},
	"a warning beside a library":   {at: atOpen, fault: fake.Fault{Kind: fake.WarnLibrary, At: 1}, stays: true, page: "Passed"},
	"the library is nil, once":     {at: atOpen, fault: fake.Fault{Kind: fake.RefuseLibrary, At: 1}, stays: true, page: "Passed"},
	"the library is nil":           {at: atOpen, fault: fake.Fault{Kind: fake.RefuseLibrary, At: 1, Lasting: true}, page: "Metal cannot compile the kernels: Compiler encountered"},
	"one file is not compiled":     {at: atTest, gpu: fake.Options{CompileFail: "error: no", CompileFailAt: "kernel void soft_cap("}, stays: true, page: "It cannot do 1 kind of operation"},
	"the queue is nil":             {at: atOpen, fault: fake.Fault{Kind: fake.NilQueue, At: 1}, page: "returned no command queue"},
	"a function is nil, tested":    {at: atTest, fault: fake.Fault{Kind: fake.RefuseFunction, At: 1, Lasting: true, Of: "rope"}, stays: true, falls: true, page: "which the CPU does for it"},
	"a pipeline is nil, tested":    {at: atTest, fault: fake.Fault{Kind: fake.RefusePipeline, At: 1, Lasting: true, Of: "soft_cap"}, stays: true, page: "It cannot do 1 kind of operation"},
	"no memory for the test":       {at: atTest, fault: fake.Fault{Kind: fake.RefuseBuffer, At: 1}, stays: true},
	"a command is nil, tested":     {at: atTest, fault: fake.Fault{Kind: fake.NilCommandBuffer, At: 1}, told: "failed when it was tested (the GPU returned no command buffer)", page: "It failed and is no longer used"},
	"an encoder is nil, tested":    {at: atTest, fault: fake.Fault{Kind: fake.NilEncoder, At: 1}, told: "failed when it was tested (the GPU returned no command encoder)", page: "It failed and is no longer used"},
	"a command fails, tested":      {at: atTest, fault: fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodePageFault}, told: "Address Fault", page: "It failed and is no longer used"},
	"a function is nil, loading":   {at: atLoad, fault: fake.Fault{Kind: fake.RefuseFunction, At: 1, Lasting: true, Of: "rows_4"}, stays: true, falls: true},
	"a pipeline is nil, loading":   {at: atLoad, fault: fake.Fault{Kind: fake.RefusePipeline, At: 1, Lasting: true, Of: "rows_4"}, stays: true, falls: true},
	"a pipeline is nil, prompt":    {at: atPrompt, fault: fake.Fault{Kind: fake.RefusePipeline, At: 1, Lasting: true, Of: "attention_matrix_64_f32"}, stays: true, falls: true, told: "cannot do everything for this model (no kernel for causal_attention: kernel attention_matrix_64_f32: Metal cannot make a pipeline: "},
	"a layer's is nil, prompt":     {at: atPrompt, fault: fake.Fault{Kind: fake.RefusePipeline, At: 1, Lasting: true, Of: "linear_tile_f16"}, stays: true, falls: true, gives: true},
	"a command is nil, prompt":     {at: atPrompt, fault: fake.Fault{Kind: fake.NilCommandBuffer, At: 1}, told: "no command buffer", page: "It failed and is no longer used"},
	"a command is nil, answer":     {at: atAnswer, fault: fake.Fault{Kind: fake.NilCommandBuffer, At: 1}, told: "no command buffer", page: "It failed and is no longer used"},
	"an encoder is nil, prompt":    {at: atPrompt, fault: fake.Fault{Kind: fake.NilEncoder, At: 1}, told: "no command encoder", page: "It failed and is no longer used"},
	"an encoder is nil, answer":    {at: atAnswer, fault: fake.Fault{Kind: fake.NilEncoder, At: 1}, told: "no command encoder", page: "It failed and is no longer used"},
	"a command fails, prompt":      {at: atPrompt, fault: fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodePageFault}, told: "Address Fault", page: "It failed and is no longer used"},
	"a command is dropped, prompt": {at: atPrompt, fault: fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeVictim}, stays: true, page: "Passed"},
	"a command is dropped, answer": {at: atAnswer, fault: fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeVictim}, stays: true, page: "Passed"},
	"a command is dropped, tested": {at: atTest, fault: fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeVictim}, stays: true, page: "Passed"},
	"a command fails, answer":      {at: atAnswer, fault: fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeDeviceRemoved}, told: "was removed", page: "It failed and is no longer used"},
	"Metal aborts, opened":         {at: atOpen, fault: fake.Fault{Kind: fake.Abort, At: 1, Of: makesQueue}, page: afterItEnded + "it opened the device"},
	"Metal aborts, compiling":      {at: atOpen, fault: fake.Fault{Kind: fake.Abort, At: 1, Of: compiles}, page: afterItEnded + "it opened the device"},
	"Metal aborts, tested":         {at: atTest, fault: fake.Fault{Kind: fake.Abort, At: 1, Of: commits}, page: afterItEnded + "it tested the device"},
	"Metal aborts, loading":        {at: atLoad, fault: fake.Fault{Kind: fake.Abort, At: 1, Of: makesBuffer}, page: afterItEnded + "the device computed"},
	"Metal aborts, prompt":         {at: atPrompt, fault: fake.Fault{Kind: fake.Abort, At: 1, Of: commits}, page: afterItEnded + "the device computed"},
	"Metal aborts, answer":         {at: atAnswer, fault: fake.Fault{Kind: fake.Abort, At: 1, Of: commits}, page: afterItEnded + "the device computed"},
}

// abortChild names the variable with the trouble and the home of a process that Metal ends.
const abortChild = "INGLENOOK_TEST_METAL_ABORT"

// TestMetalTroubles: whatever goes wrong with Metal, the answer is the CPU's, one sentence
// says so where there is something to say, and what did not fail goes on.
func TestMetalTroubles(t *testing.T) {
	tested, want := testedHome(t)
	for _, name := range slices.Sorted(maps.Keys(troubles)) {
		c := troubles[name]
		t.Run(name, func(t *testing.T) {
			home := tested
			if c.at == atTest {
				home = metalHome(t)
			}
			if c.fault.Kind == fake.Abort {
				endsAProcess(t, name, home)
				c.at = "" // in this process nothing happens
			}
			a := openMetalApp(t, home, c)
			got := a.write("auto")
			told := strings.Join(got.told, "; ")
			if got.text != want.text || len(got.told) > 1 || (told == "") != (c.told == "") || !strings.Contains(told, c.told) {
				t.Errorf("the answer is %q, the CPU's %q; told %q, want %q", got.text, want.text, told, c.told)
			}
			if got.falls != c.falls {
				t.Errorf("the answer lists operations on the CPU: %v, want %v", got.falls, c.falls)
			}
			page := a.Device("metal")
			if says := cmp.Or(page.Reason, page.SelfCheck); !strings.Contains(says, c.page) {
				t.Errorf("the device's page says %q, want %q", says, c.page)
			}
			again := a.write("auto")
			if again.text != want.text || len(again.told) > 0 || page.Available != c.stays || strings.Contains(again.device, "metal") != (c.stays && !c.gives) {
				t.Errorf("the next answer is %q from %s, told %q; the page says %+v", again.text, again.device, again.told, page)
			}
			if c.fault.Kind == fake.Abort {
				if _, err := a.Try(t.Context(), "metal"); err != nil {
					t.Error(err)
				}
				if last := a.write("auto"); last.text != want.text || last.device != "metal" {
					t.Errorf("tried again, the answer is %q from %s", last.text, last.device)
				}
			}
			if a.rt != nil && (a.rt.Pending() > 0 && !c.fault.Lasting || len(a.rt.Problems()) > 0) {
				t.Errorf("%d faults did not happen, problems are %v", a.rt.Pending(), a.rt.Problems())
			}
		})
	}
}

// TestMetalHasNoRoom: whatever Metal has no memory for, be it a weight, a cache or
// activations, this model runs on the CPU, one sentence says so, and the next model has the
// GPU.
func TestMetalHasNoRoom(t *testing.T) {
	home, want := testedHome(t)
	var lacked []string
	for at, more := 1, true; more; at++ {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			a := openMetalApp(t, home, trouble{at: atLoad, fault: fake.Fault{Kind: fake.RefuseBuffer, At: at}})
			told, happened := a.hasNoRoom(want, "the GPU refused ")
			if more = happened; more {
				lacked = append(lacked, told)
			}
		})
	}
	for _, what := range []string{"for the weight ", "for a cache", "for activations"} {
		if !slices.ContainsFunc(lacked, func(told string) bool { return strings.Contains(told, what) }) {
			t.Errorf("there was memory %s each time: %q", what, lacked)
		}
	}
}

// TestMetalRunsOutOfMemory: as TestMetalHasNoRoom, where Metal finds only during the work
// that memory is short.
func TestMetalRunsOutOfMemory(t *testing.T) {
	home, want := testedHome(t)
	for _, at := range []moment{atLoad, atPrompt, atAnswer} {
		t.Run(string(at), func(t *testing.T) {
			a := openMetalApp(t, home, trouble{at: at, fault: fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeOutOfMemory}})
			if told, happened := a.hasNoRoom(want, "the GPU ran out of memory: Insufficient Memory (code 8)"); !happened {
				t.Errorf("there was memory; told %q", told)
			}
		})
	}
}

// testedHome is a home whose device has passed its test, and the CPU's answer there.
func testedHome(t *testing.T) (home string, want written) {
	t.Helper()
	apptest.Home(t)
	home = metalHome(t)
	want = openMetalApp(t, home, trouble{}).write("cpu")
	openMetalApp(t, home, trouble{}).write("auto")
	return home, want
}

// hasNoRoom lets the model answer, which meets the trouble if that happened. The answer
// is the CPU's then, what is told has the reason, and opened anew the model has the GPU.
func (a *metalApp) hasNoRoom(want written, reason string) (told string, happened bool) {
	t := a.t
	t.Helper()
	got := a.write("auto")
	told = strings.Join(got.told, "; ")
	if a.rt.Pending() > 0 {
		return told, false
	}
	if got.text != want.text || !strings.HasSuffix(got.device, "cpu") || len(got.told) != 1 || !strings.Contains(told, "has no room for this model ("+reason) {
		t.Errorf("the answer is %q from %s, the CPU's %q; told %q", got.text, got.device, want.text, got.told)
	}
	if _, err := a.CloseModel(a.OpenModels()[0].Model); err != nil {
		t.Error(err)
	}
	if again := a.write("auto"); again.text != want.text || again.device != "metal" || len(again.told) > 0 {
		t.Errorf("the next answer is %q from %s, told %q", again.text, again.device, again.told)
	}
	return told, true
}

// endsAProcess lets Metal end another process, in a home.
func endsAProcess(t *testing.T, name, home string) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestMetalAborts$")
	child.Env = append(os.Environ(), abortChild+"="+name+"|"+home)
	out, err := child.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != -1 {
		t.Fatalf("the process ended with %v\n%s", err, out)
	}
}

// TestMetalAborts is the process that TestMetalTroubles starts.
func TestMetalAborts(t *testing.T) {
	name, home, ok := strings.Cut(os.Getenv(abortChild), "|")
	if !ok {
		t.Skip("for TestMetalTroubles alone")
	}
	got := openMetalApp(t, home, troubles[name]).write("auto")
	t.Errorf("nothing ended the process: %+v", got)
}

// metalHome is a new home folder with a language model.
func metalHome(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	model := filepath.Join(home, "model")
	if err := os.CopyFS(model, os.DirFS("../models/testdata/decoders/llama")); err != nil {
		t.Fatal(err)
	}
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "?", "!", ":", ".", ",", "<", ">"}
	for c := 'a'; c <= 'z'; c++ {
		words = append(words, string(c), "##"+string(c))
	}
	for name, text := range map[string]string{
		"vocab.txt":           strings.Join(words, "\n"),
		"chat_template.jinja": "{% for m in messages %}{{ m.content }}[SEP]{% endfor %}",
	} {
		if err := os.WriteFile(filepath.Join(model, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// metalApp is an application whose Metal is emulated, with a trouble.
type metalApp struct {
	*App
	t     *testing.T
	model string
	c     trouble
	rt    *fake.Fake // nil until the device is opened
}

func openMetalApp(t *testing.T, home string, c trouble) *metalApp {
	t.Helper()
	kernels, err := emulator.Open("")
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	inner, err := New(Options{Home: home, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := inner.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	a := &metalApp{App: inner, t: t, model: filepath.Join(home, "model"), c: c}
	metal := a.devicesPart.Others[0]
	if metal.ID != "metal" {
		t.Fatalf("the first device is %s", metal.ID)
	}
	metal.Probe = nil
	metal.Open = func() (engine.Backend, error) {
		gpu := c.gpu
		gpu.Executor, gpu.Memory = kernels, 8<<30
		if a.rt, err = fake.New(gpu); err != nil {
			return nil, err
		}
		a.now(atOpen)
		b, err := metalbackend.New(a.rt, metalbackend.Options{Copy: true})
		if err != nil {
			return nil, err
		}
		a.now(atTest)
		return b, nil
	}
	a.devicesPart.Others = a.devicesPart.Others[:1]
	return a
}

// now lets the trouble begin if this is the moment.
func (a *metalApp) now(m moment) {
	if a.c.at == m && a.rt != nil {
		a.c.at = ""
		a.rt.Inject(a.c.fault)
	}
}

// written is an answer.
type written struct {
	text, device string
	told         []string
	falls        bool // the answer lists operations that ran on the CPU
}

// write opens the model on a device and lets it write a few tokens.
func (a *metalApp) write(device string) (w written) {
	a.t.Helper()
	if device == "auto" { // opens and tests it
		e, err := a.Usable(a.t.Context(), a.model)
		if err != nil {
			a.t.Fatal(err)
		}
		where, err := a.Choose(a.t.Context(), devices.Target{}, &e, nil)
		if err != nil {
			a.t.Fatal(err)
		}
		w.told = where.Notices
	}
	a.now(atLoad)
	c, err := a.OpenChat(a.t.Context(), pool.WriterOptions{Model: a.model, Target: devices.Target{Device: device, Hold: devices.Hold{KV: "f32"}}}, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	defer c.Close()
	w.told = append(w.told, c.Notices...)
	a.now(atPrompt)
	o := pipeline.ReplyOptions{MaxTokens: 9, IgnoreEnd: true, Sampling: &pipeline.Sampling{}}
	all, err := chat.Collect(c.Answer(a.t.Context(), []chat.PromptMessage{pipeline.TextMessage("user", "the cat sleeps on a warm stone")}, o), func(tk chat.Token) {
		a.now(atAnswer)
		if tk.Notice != "" {
			w.told = append(w.told, tk.Notice)
		}
	})
	if err != nil {
		a.t.Fatal(err)
	}
	w.text, w.device, w.falls = all.Text, all.Finished.Device, len(all.Started.Fallbacks)+len(all.Finished.Fallbacks) > 0
	return w
}
