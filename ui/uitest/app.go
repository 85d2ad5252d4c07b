package uitest

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app"
	_ "inglenook/app/locale"
)

// App stands in for the application: a model that counts letters.
type App struct {
	Mu       sync.Mutex
	Kept     app.Settings
	Offered  []app.Model
	asked    []app.SimilarityRequest
	Added    []string
	Files    map[string]app.Texts
	Failing  error                                  // what Similarity, AddModel and ReadTexts answer
	Slow     func(context.Context, int) (late bool) // before Similarity answers the nth request; late: whatever the context says
	Warnings []string
	Measured measuring // what Measure was asked and answers
	Hub      hubbing
}

func NewApp() *App {
	return &App{
		Offered: []app.Model{
			{ID: "starter-embed", Name: "starter-embed", Source: app.SourceBundled, Kind: app.KindEmbedding, Usable: true, Dimension: 26, Parameters: 7_400_000, Bytes: 15_000_000, MaxLength: 256},
			{ID: "org/other", Name: "org/other", Source: app.SourceHubCache, Kind: app.KindEmbedding, Usable: true, Dimension: 384},
			{ID: "org/pickle", Name: "org/pickle", Source: app.SourceHubCache, Reason: "the weights are a pickle file, which can run code"},
			{ID: "/models/judge", Name: "judge", Source: app.SourceFolder, Kind: app.KindReranker, Usable: true},
		},
		Files: map[string]app.Texts{},
	}
}

func (d *App) Devices() []app.Device {
	return []app.Device{
		{ID: "cpu", Kind: "cpu", Name: "Test processor", Available: true, Threads: max(1, d.Settings().Threads), MemoryBytes: 8 << 30, Features: []string{"avx2"}},
		{ID: "metal", Kind: "metal", Reason: "Metal exists on Apple computers only."},
	}
}

func (d *App) Models(context.Context) ([]app.Model, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Offered), nil
}

func (d *App) Resolve(_ context.Context, name string) (app.Model, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for _, m := range d.Offered {
		if m.ID == name {
			return m, nil
		}
	}
	return app.Model{}, errors.New("there is no model " + name)
}

func (d *App) AddModel(_ context.Context, path string) (app.Model, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Added = append(d.Added, path)
	if d.Failing != nil {
		return app.Model{}, d.Failing
	}
	m := app.Model{ID: path, Name: filepath.Base(path), Source: app.SourceFolder, Kind: app.KindEmbedding, Usable: true, Dimension: 26}
	d.Offered = append(d.Offered, m)
	return m, nil
}

func (d *App) ForgetModel(id string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Offered = slices.DeleteFunc(d.Offered, func(m app.Model) bool { return m.ID == id })
	return nil
}

func (d *App) Similarity(ctx context.Context, r app.SimilarityRequest, report func(app.Progress)) (app.SimilarityResult, error) {
	d.Mu.Lock()
	d.asked = append(d.asked, r)
	n, failing, slow := len(d.asked), d.Failing, d.Slow
	d.Mu.Unlock()
	report(app.Progress{Stage: app.StageEmbedding, Done: 1, Total: int64(len(r.Texts)), Unit: "texts", Left: 3 * time.Second})
	late := slow != nil && slow(ctx, n)
	if ctx.Err() != nil && !late {
		return app.SimilarityResult{}, ctx.Err()
	}
	if failing != nil {
		return app.SimilarityResult{}, failing
	}
	m, _ := d.Resolve(ctx, r.Model)
	return LetterResult(r.Texts, m), nil
}

// LetterResult compares texts by how often they use each letter.
func LetterResult(lines []string, m app.Model) app.SimilarityResult {
	r := app.SimilarityResult{
		Texts: lines, Model: m, Device: "cpu", Took: 20 * time.Millisecond, Load: 5 * time.Millisecond,
		TextsPerS: 500, TokensPerS: 6000, Explained: [2]float64{0.3, 0.2},
		Truncated: make([]bool, len(lines)), Tokens: make([]int, len(lines)),
	}
	for _, l := range lines {
		v := make([]float32, 26)
		norm := 0.0
		for _, c := range strings.ToLower(l) {
			if c >= 'a' && c <= 'z' {
				v[c-'a']++
			}
		}
		for _, e := range v {
			norm += float64(e * e)
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(max(norm, 1)))
		}
		r.Vectors = append(r.Vectors, v)
		r.Points = append(r.Points, [2]float64{float64(v[0])*2 - 0.5, float64(v[4])*2 - 0.5})
	}
	for _, a := range r.Vectors {
		row := make([]float32, len(lines))
		for j, b := range r.Vectors {
			for k := range a {
				row[j] += a[k] * b[k]
			}
		}
		r.Matrix = append(r.Matrix, row)
	}
	return r
}

func (d *App) ReadTexts(path string) (app.Texts, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if t, ok := d.Files[path]; ok {
		return t, nil
	}
	return app.Texts{}, errors.New(filepath.Base(path) + " is not a text file: it holds binary data")
}

func (d *App) ReadText(path string) (string, error) {
	t, err := d.ReadTexts(path)
	return strings.Join(t.Lines, "\n"), err
}

func (d *App) Settings() app.Settings {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.Kept
}

func (d *App) SaveSettings(change func(*app.Settings)) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	change(&d.Kept)
	return nil
}

func (d *App) Diagnostics() string { return "Inglenook, a report" }
func (d *App) Paths() app.Paths {
	return app.Paths{Data: "/user/data", Config: "/user/config", Cache: "/user/cache", Log: "/user/data/log"}
}
func (d *App) Log() *slog.Logger { return slog.New(slog.DiscardHandler) }
func (d *App) Notices() []string { return d.Warnings }
func (d *App) Requests() []app.SimilarityRequest {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.asked)
}

// BlockUntil answers only when free is closed, or the work is cancelled.
func BlockUntil(free chan struct{}) func(context.Context, int) bool {
	return func(ctx context.Context, _ int) bool {
		select {
		case <-free:
		case <-ctx.Done():
		}
		return false
	}
}
