package devices

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/cpubackend"
	"inglenook/cpubackend/blas"
	"inglenook/engine"
)

// Device is a place to compute, present or not.
type Device struct {
	ID          string   // as in --device: "cpu", "metal", "cuda", "metal-emulated"
	Kind        string   // "cpu", "metal", "cuda"
	Name        string   // as the system calls it
	MemoryBytes uint64   // total; 0 where unknown
	Available   bool     // false: Reason says why
	LeftAlone   bool     // not available because it ended the program; Try opens it once more
	Reason      string   // one sentence, empty when available
	Threads     int      // CPU threads in use; 0 elsewhere
	Features    []string // instruction sets, GPU families
	NotUsed     []string // other devices of the kind, with their free memory
	Products    string   // of the processor: "by" the library that multiplies matrices, or why one does not; "": there is none
	SelfCheck   string   // of a device beside the CPU: one sentence on how its test went
}

// Line describes a device in one line.
func (d Device) Line() string {
	if !d.Available {
		return fmt.Sprintf("%s: not available. %s", d.ID, d.Reason)
	}
	line := fmt.Sprintf("%s: %s", d.ID, d.Name)
	if d.MemoryBytes > 0 {
		line += ", " + humanize.Bytes(d.MemoryBytes)
	}
	if d.Threads > 0 {
		line += fmt.Sprintf(", %d threads", d.Threads)
	}
	if len(d.Features) > 0 {
		line += ", " + strings.Join(d.Features, " ")
	}
	if len(d.NotUsed) > 0 {
		line += "; not used: " + strings.Join(d.NotUsed, "; ")
	}
	if d.Products != "" {
		line += "; products " + d.Products
	}
	return line
}

// Fallback sums up operations of one kind that a device has no kernel for.
type Fallback = engine.Fallback

// DeviceIDs are the names that a request may give: "auto" is the best device for
// the model.
func DeviceIDs() []string { return []string{"auto", "cpu", "metal", "cuda", "metal-emulated"} }

// Options say how devices are used.
type Options struct {
	Threads int                   // CPU threads; 0: what the settings say
	Apart   bool                  // a device is opened and tested in a process of its own before; the program hands TrialArgument to ServeTrial
	ISA     string                // CPU kernels: "avx512", "avx2", "generic"; "": the best one here
	Tell    func(sentence string) // what a person should know of a device at once; nil: the log alone has it
}

// Service opens backends when they are first needed and keeps them: the
// processor once for each number of threads that was asked for, each other
// device once.
type Service struct {
	options  Options
	settings *base.SettingsStore
	log      *slog.Logger
	Open     func(threads int, isa string) (engine.Backend, error)
	Others   []*Accelerator // best first
	Proofs   *proofs
	Activity func() (end func()) // tells the system that the program works for a person
	activity activity
	awake    awake
	apart    []string           // the command of processes that try a device; empty: there are none
	end      context.CancelFunc // of those processes; nil: there are none

	mu        sync.Mutex
	byThreads map[int]engine.Backend
	products  bool // it was told what makes products of matrices
}

// New opens no device yet.
func New(settings *base.SettingsStore, log *slog.Logger, p base.Paths, o Options) *Service {
	d := &Service{
		options: o, settings: settings, log: log, Open: openCPU, Others: accelerators(log, p.Cache),
		Proofs: &proofs{path: proofsPath(p), system: SystemBuild(), log: log}, byThreads: map[int]engine.Backend{}, Activity: beginActivity,
	}
	for _, x := range d.Others {
		x.trial = newTrial(p.Cache, x.ID, d.Proofs.system)
	}
	if program, err := os.Executable(); o.Apart && err == nil {
		d.tryBefore(program, TrialArgument)
	}
	return d
}

// tryBefore has devices whose opening takes long tried by a command first.
func (d *Service) tryBefore(command ...string) {
	ctx, cancel := context.WithCancel(context.Background())
	d.apart, d.end = command, cancel
	for _, x := range d.Others {
		if x.Probe != nil {
			x.before = func() { d.tryApart(ctx, x) }
		}
	}
}

// Threads is the number of CPU threads to use; 0: as the backend likes.
func (d *Service) Threads() int {
	if d.options.Threads > 0 {
		return d.options.Threads
	}
	return d.settings.Settings().Threads
}

func openCPU(threads int, isa string) (engine.Backend, error) {
	b, err := cpubackend.New(cpubackend.Options{Threads: threads, ISA: isa})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// CPU returns the processor with a number of threads.
func (d *Service) CPU(threads int) (engine.Backend, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b, ok := d.byThreads[threads]; ok {
		return b, nil
	}
	b, err := d.Open(threads, d.options.ISA)
	if err != nil {
		return nil, fmt.Errorf("the CPU cannot be used: %w", err)
	}
	d.byThreads[threads] = b
	d.tellProducts(b.Device())
	return b, nil
}

// tellProducts logs once what makes products of matrices, and tells where a library does not that
// was meant to.
func (d *Service) tellProducts(of engine.Device) {
	by := of.Products
	if by == "" || d.products {
		return
	}
	d.products = true
	if !of.OwnProducts {
		d.log.Info("products of matrices", "made", by)
		return
	}
	sentence := "products of matrices are made " + by
	if named := os.Getenv(blas.Variable); named != "" {
		sentence += fmt.Sprintf(" (%s names it)", blas.Variable)
	}
	d.log.Warn("device", "notice", sentence)
	if d.options.Tell != nil {
		d.options.Tell(sentence)
	}
}

// Close frees all devices.
func (d *Service) Close() error {
	if d.end != nil {
		d.end()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, x := range d.Others {
		errs = append(errs, x.close())
	}
	for _, b := range d.byThreads {
		errs = append(errs, b.Close())
	}
	clear(d.byThreads)
	return errors.Join(errs...)
}

// Devices lists the devices present, and those that are not with the reason.
func (d *Service) Devices() []Device {
	list := []Device{d.processor()}
	for _, x := range d.Others {
		list = append(list, x.describe())
	}
	return list
}

// Device describes one device; of an unknown id, only the id is known.
func (d *Service) Device(id string) Device {
	if id == "cpu" {
		return d.processor()
	}
	if i := slices.IndexFunc(d.Others, func(x *Accelerator) bool { return x.ID == id }); i >= 0 {
		return d.Others[i].describe()
	}
	return Device{ID: id, Name: id}
}

func (d *Service) processor() Device {
	b, err := d.CPU(d.Threads())
	if err != nil {
		return Device{ID: "cpu", Kind: "cpu", Name: runtime.GOARCH, Reason: err.Error()}
	}
	return present(b)
}

// present describes an open backend.
func present(b engine.Backend) Device {
	d := b.Device()
	return Device{
		ID: d.ID, Kind: d.Kind, Name: d.Name, MemoryBytes: d.MemoryBytes,
		Available: true, Threads: d.Threads, Features: d.Features, NotUsed: d.NotUsed, Products: d.Products,
	}
}

// Backends are those that a model on this device runs on, best first.
func (d *Service) Backends(device string) ([]engine.Backend, error) {
	cpu, err := d.CPU(d.Threads())
	if err != nil || device == "cpu" {
		return []engine.Backend{cpu}, err
	}
	i := slices.IndexFunc(d.Others, func(x *Accelerator) bool { return x.ID == device })
	if i < 0 {
		return nil, fmt.Errorf("there is no device %q", device)
	}
	guard, err := d.Others[i].backend()
	if err != nil {
		return nil, err
	}
	return []engine.Backend{guard, cpu}, nil
}

// FreeMemory is how many bytes models may still take; 0: unknown.
func (d *Service) FreeMemory() int64 {
	if free := AvailableMemory(); free < noMemoryLimit {
		return free
	}
	return 0
}

// noMemoryLimit is more than any computer has.
const noMemoryLimit = int64(1) << 60
