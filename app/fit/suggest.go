package fit

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/metalbackend/emulated"
)

// Suggestion is a model for a person who has none yet.
type Suggestion struct {
	Model      library.CatalogueEntry
	Download   library.CatalogueDownload // one GGUF file
	TokensPerS float64                   // that it writes here, roughly; 0: unknown
	Pace       Pace                      // of this computer
}

// Pace is how many bytes of weights this computer reads a second when it writes, measured or
// guessed; 0: unknown.
type Pace float64

// TokensPerS is how many tokens a model of the catalogue writes a second, roughly, from its
// recommended download; 0: unknown, or it writes none.
func (p Pace) TokensPerS(e library.CatalogueEntry) float64 {
	if e.Task != library.KindChat && e.Task != library.KindText {
		return 0
	}
	read := float64(e.Downloads[0].Bytes)
	if e.Active > 0 && e.Active < e.Parameters {
		read *= float64(e.Active) / float64(e.Parameters)
	}
	return float64(p) / read
}

// Slow reports whether people wait for each word at so many tokens a second; unknown is not slow.
func Slow(tokensPerS float64) bool { return tokensPerS > 0 && tokensPerS < bearable }

const (
	// comfortable is how many tokens a second are written faster than most people read.
	comfortable = 10
	// bearable is the slowest speed at which a larger model is still suggested.
	bearable = 3
	// mostAtFirst is the largest download, in bytes, that is recommended to begin with.
	mostAtFirst = 6e9
	// memoryShare is the part of this computer's memory that a first model may take: other
	// programs need the rest.
	memoryShare = 0.6
	// besideWeights is what a model takes beyond its weights: a fifth, and this many bytes.
	besideWeights = 300e6
)

// Suggest returns up to three models of the catalogue for a first chat on this computer: the
// recommended one, then the next smaller one, which is quicker, then the next larger one,
// which knows more. It opens no connection and measures nothing: which models they are depends on
// the computer alone, not on what else it does at the moment, so that every start recommends the same.
func (f *Service) Suggest(ctx context.Context) ([]Suggestion, error) {
	ctx, done, err := f.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return f.advice.once(func() ([]Suggestion, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, measured, err := f.firstDevice()
		if err != nil {
			return nil, err
		}
		list := suggestFor(f.library.Catalogue(), d, measured)
		f.log.Info("suggest", "memory", d.MemoryBytes, "device", d.ID, "measured", int64(measured), "models", len(list))
		return list, nil
	})
}

// advice is what was suggested first since the start. Whoever asks later gets the same: rooms
// that measured at different moments would recommend different models.
type advice struct {
	mu    sync.Mutex
	given bool
	list  []Suggestion
}

// once returns what was suggested, or else asks; an error is not kept.
func (a *advice) once(ask func() ([]Suggestion, error)) ([]Suggestion, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.given {
		list, err := ask()
		if err != nil {
			return nil, err
		}
		a.given, a.list = true, list
	}
	return slices.Clone(a.list), nil
}

// firstDevice returns the device that a chat would run on, and how many bytes of weights it reads
// a second when it writes a token; 0: nobody has measured that while other programs left the
// processors alone.
func (f *Service) firstDevice() (first devices.Device, measured Pace, err error) {
	for _, d := range f.devices.Devices() {
		if !d.Available || d.ID == emulated.ID {
			continue
		}
		bs, err := f.devices.Backends(d.ID)
		if err != nil {
			return d, 0, err
		}
		return d, Pace(f.predictor.speeds.known(bs[0], probe.WeightRate(bs[0].Device().ID, engine.Q4_K))), nil
	}
	return devices.Device{}, 0, nil
}

// What computers read of weights a second, before anybody has measured it.
const (
	perThread = 7e9   // by a thread of a processor
	mostByCPU = 40e9  // by all of them: common memory gives no more, however many ask
	byGPU     = 100e9 // by a GPU; most read more, and it is enough for every first model
)

// guessedPace is how many bytes of weights a device of a kind reads a second, roughly.
func guessedPace(kind string, threads int) Pace {
	if kind != "cpu" {
		return byGPU
	}
	return Pace(min(perThread*float64(max(1, threads)), mostByCPU))
}

// suggestFor chooses from a catalogue for a device. A guess of its pace chooses; where that was
// measured, it is told how fast the chosen models are by the measured one.
func suggestFor(entries []library.CatalogueEntry, d devices.Device, measured Pace) []Suggestion {
	list := suggest(entries, int64(d.MemoryBytes), guessedPace(d.Kind, d.Threads))
	if measured > 0 {
		for i := range list {
			list[i].Pace, list[i].TokensPerS = measured, float64(measured)/float64(list[i].Download.Bytes)
		}
	}
	return list
}

// suggest chooses from a catalogue for so much memory, 0 where that is unknown.
func suggest(entries []library.CatalogueEntry, memory int64, pace Pace) (list []Suggestion) {
	var fitting []Suggestion // the smallest first
	for _, e := range entries {
		if !e.First {
			continue
		}
		s := Suggestion{Model: e, Download: e.Downloads[0], Pace: pace}
		size := float64(s.Download.Bytes)
		s.TokensPerS = float64(pace) / size
		if memory == 0 || size*1.2+besideWeights <= memoryShare*float64(memory) {
			fitting = append(fitting, s)
		}
	}
	if len(fitting) == 0 {
		return nil
	}
	slices.SortStableFunc(fitting, func(a, b Suggestion) int { return cmp.Compare(a.Download.Bytes, b.Download.Bytes) })
	best := 0
	for i, s := range fitting {
		if s.Download.Bytes <= mostAtFirst && s.TokensPerS >= comfortable {
			best = i
		}
	}
	list = append(list, fitting[best])
	if best > 0 {
		list = append(list, fitting[best-1])
	}
	if next := best + 1; next < len(fitting) && (pace == 0 || fitting[next].TokensPerS >= bearable) {
		list = append(list, fitting[next])
	}
	return list
}
