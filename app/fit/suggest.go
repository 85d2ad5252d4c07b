package fit

import (
	"cmp"
	"context"
	"slices"
	"sync"

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

// Pace is how many bytes of weights this computer reads a second when it writes; 0: unknown, as
// while other programs keep it busy.
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
// which knows more. It opens no connection. The first call measures for about a second how
// fast this computer reads weights.
func (f *Service) Suggest(ctx context.Context) ([]Suggestion, error) {
	ctx, done, err := f.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return f.advice.once(func() ([]Suggestion, error) {
		memory, bytesPerS, steady, err := f.firstDevice(ctx)
		if err != nil {
			return nil, err
		}
		list := suggest(f.library.Catalogue(), memory, bytesPerS)
		for i := range list {
			if list[i].Pace = Pace(bytesPerS); !steady {
				list[i].TokensPerS, list[i].Pace = 0, 0
			}
		}
		f.log.Info("suggest", "memory", memory, "bytes_per_second", int64(bytesPerS), "models", len(list))
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

// firstDevice returns the memory of the device that a chat would run on, and how many bytes
// of weights it reads a second when it writes a token; 0: unknown. steady tells whether that was
// measured while other programs left the processors alone.
func (f *Service) firstDevice(ctx context.Context) (memory int64, bytesPerS float64, steady bool, err error) {
	for _, d := range f.devices.Devices() {
		if !d.Available || d.ID == emulated.ID {
			continue
		}
		bs, err := f.devices.Backends(d.ID)
		if err != nil {
			return 0, 0, false, err
		}
		rate := probe.WeightRate(engine.Q4_K)
		bytesPerS, err = f.predictor.speeds.rate(ctx, bs[0], rate)
		if ctx.Err() != nil {
			return 0, 0, false, ctx.Err()
		}
		if err != nil {
			f.log.Warn("no speed of the device", "device", d.ID, "error", err)
		}
		return int64(d.MemoryBytes), bytesPerS, f.predictor.speeds.steady(bs[0], rate), nil
	}
	return 0, 0, false, nil
}

// suggest chooses from a catalogue for so much memory, 0 where that is unknown.
func suggest(entries []library.CatalogueEntry, memory int64, bytesPerS float64) (list []Suggestion) {
	var fitting []Suggestion // the smallest first
	for _, e := range entries {
		if !e.First {
			continue
		}
		s := Suggestion{Model: e, Download: e.Downloads[0]}
		size := float64(s.Download.Bytes)
		s.TokensPerS = bytesPerS / size
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
	if next := best + 1; next < len(fitting) && (bytesPerS == 0 || fitting[next].TokensPerS >= bearable) {
		list = append(list, fitting[next])
	}
	return list
}
