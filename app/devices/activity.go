package devices

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"inglenook/app/usage"
	"inglenook/engine"
	"inglenook/pipeline/placement"
)

// Work is something that a model did, and where.
type Work struct {
	When   time.Time     // the last time
	Times  int           // in a row
	Job    string        // "embed", "rerank", "chat"
	Model  string        // its id
	Took   time.Duration // of the last time
	Rate   float64       // tokens a second that it wrote the last time; 0: it writes nothing
	Shares []DeviceShare

	Cancelled bool // it did not come to its end the last time
}

// repeats reports whether a work is the one before it once more, on the same devices.
func (w Work) repeats(before Work) bool {
	return w.Job == before.Job && w.Model == before.Model && w.Cancelled == before.Cancelled &&
		slices.EqualFunc(w.Shares, before.Shares, func(a, b DeviceShare) bool { return a.Device == b.Device })
}

// DeviceShare is the part of a work's operations that ran on a device.
type DeviceShare struct {
	Device string
	Share  float64
}

// maxWorks is how many works are remembered.
const maxWorks = 6

// activity are the last works, the newest first.
type activity struct {
	mu    sync.Mutex
	works []Work
	rates map[string]float64 // tokens a second of the last answer, by model
}

// note keeps where the operations of a work ran.
func (a *activity) note(w Work, p placement.Profile) {
	if len(p.Ops) == 0 {
		return
	}
	w.When, w.Times = time.Now(), 1
	all := 0
	for _, o := range p.Ops {
		all += o.Count
		i := slices.IndexFunc(w.Shares, func(s DeviceShare) bool { return s.Device == o.Device })
		if i < 0 {
			i, w.Shares = len(w.Shares), append(w.Shares, DeviceShare{Device: o.Device})
		}
		w.Shares[i].Share += float64(o.Count)
	}
	for i := range w.Shares {
		w.Shares[i].Share /= float64(all)
	}
	slices.SortStableFunc(w.Shares, func(a, b DeviceShare) int { return cmp.Compare(b.Share, a.Share) })
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.works) > 0 && w.repeats(a.works[0]) { // many of one kind leave room for others
		w.Times += a.works[0].Times
		a.works = a.works[1:]
	}
	a.works = append([]Work{w}, a.works[:min(len(a.works), maxWorks-1)]...)
}

// Note keeps where the operations of a work ran, for Usage: of the work its job, its model, how
// long it took and how fast it wrote.
func (d *Service) Note(w Work, p placement.Profile) { d.activity.note(w, p) }

// Wrote keeps how many tokens a second a model wrote in an answer to a person.
func (d *Service) Wrote(model string, tokensPerS float64) {
	d.activity.mu.Lock()
	defer d.activity.mu.Unlock()
	if d.activity.rates == nil {
		d.activity.rates = map[string]float64{}
	}
	d.activity.rates[model] = tokensPerS
}

// LastRate returns how many tokens a second a model wrote in its last answer to a person since the
// program began; 0: it wrote none.
func (d *Service) LastRate(model string) float64 {
	d.activity.mu.Lock()
	defer d.activity.mu.Unlock()
	return d.activity.rates[model]
}

// Usage is what the program and the computer use at a moment.
type Usage struct {
	usage.Reading
	Devices []DeviceMemory // those beside the CPU that are open
	Works   []Work         // the last ones, the newest first
}

// DeviceMemory is what the program has taken of a device's memory, in bytes.
type DeviceMemory struct {
	Device string
	Bytes  int64
}

// ProgramShare is the part of all processors that the program took since an earlier
// reading, 0 to 1; false: it cannot be told.
func (u Usage) ProgramShare(before Usage) (float64, bool) { return u.Program(before.Reading) }

// SystemShare is the part that all programs took.
func (u Usage) SystemShare(before Usage) (float64, bool) { return u.System(before.Reading) }

// Usage takes a reading. Two of them say how busy the processors were in between.
func (d *Service) Usage() Usage {
	u := Usage{Reading: usage.Now()}
	for _, x := range d.Others {
		if n, known := x.taken(); known {
			u.Devices = append(u.Devices, DeviceMemory{x.ID, n})
		}
	}
	d.activity.mu.Lock()
	defer d.activity.mu.Unlock()
	u.Works = slices.Clone(d.activity.works)
	return u
}

// taken is how much memory of the device the program has, where it is open and says so.
func (x *Accelerator) taken() (bytes int64, known bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.guard == nil {
		return 0, false
	}
	b, known := x.guard.Backend.(interface{ Taken() int64 })
	if !known {
		return 0, false
	}
	return b.Taken(), true
}

// Room is how many bytes a device can still work with besides what the program has
// there; false where that is unknown, or limited by the computer's memory alone.
func (d *Service) Room(device string) (bytes int64, known bool) {
	for _, x := range d.Others {
		if x.ID == device {
			return x.room()
		}
	}
	return 0, false
}

func (x *Accelerator) room() (bytes int64, known bool) {
	taken, known := x.taken()
	if !known {
		return 0, false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.guard == nil {
		return 0, false
	}
	most := int64(x.guard.Device().MemoryBytes)
	return max(0, most-taken), most > 0
}

// LogWork notes what ran where; each fallback with its reason.
func (d *Service) LogWork(job, model, device string, texts int, took time.Duration, fallbacks []engine.Fallback, notices []string) {
	d.log.Info(job, "model", model, "device", device, "texts", texts, "took", took.Round(time.Microsecond))
	for _, f := range fallbacks {
		d.log.Info("fallback", "op", f.Op.String(), "device", f.Device, "runs_on", f.RunsOn, "reason", f.Reason, "count", f.Count)
	}
	for _, n := range notices {
		d.log.Warn("device", "notice", n)
	}
}
