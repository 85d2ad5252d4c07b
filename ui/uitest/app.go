package uitest

import (
	"cmp"
	"context"
	"errors"
	"image"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/library"
	_ "inglenook/app/locale"
	"inglenook/app/servers"
	"inglenook/app/texts"
	"inglenook/app/tools"
)

// App stands in for the application: a model that counts letters.
type App struct {
	Mu         sync.Mutex
	Kept       base.Settings
	Offered    []library.Model
	asked      []texts.SimilarityRequest
	Embedded   []texts.EmbedRequest
	Added      []string
	AddedKind  string   // what AddModel adds; "": an embedder
	Within     []string // the models that an added folder holds; none: it is one
	Files      map[string]texts.Texts
	Failing    error                                  // what Similarity, AddModel and ReadTexts answer
	Slow       func(context.Context, int) (late bool) // before Similarity answers the nth request; late: whatever the context says
	Warnings   []string
	Measured   measuring   // what Measure was asked and answers
	Ranked     ranking     // what Rerank was asked and answers
	Classified classifying // what Classify was asked and answers
	Reads      reading     // how models read
	Hub        hubbing
	Servers    *tools.Service   // nil: made when it is asked for, in no folder
	Elsewhere  *servers.Service // nil: none was added, and none can be
	Passwords  []string         // that UseStore was given
	Aborted    bool             // Metal ended the program once and is left alone
}

func NewApp() *App {
	return &App{
		Offered: []library.Model{
			{ID: "starter-embed", Name: "starter-embed", Source: library.SourceBundled, Kind: library.KindEmbedding, Usable: true, Dimension: 26, Parameters: 7_400_000, Bytes: 15_000_000, MaxLength: 256},
			{ID: "org/other", Name: "org/other", Source: library.SourceHubCache, Kind: library.KindEmbedding, Usable: true, Dimension: 384},
			{ID: "org/pickle", Name: "org/pickle", Source: library.SourceHubCache, Reason: "the weights are a pickle file, which can run code"},
			{ID: "/models/judge", Name: "judge", Source: library.SourceFolder, Kind: library.KindReranker, Usable: true},
		},
		Files: map[string]texts.Texts{},
	}
}

func (d *App) Devices() []devices.Device {
	threads := max(1, d.Settings().Threads)
	d.Mu.Lock()
	defer d.Mu.Unlock()
	metal := devices.Device{ID: "metal", Kind: "metal", Reason: "Metal exists on Apple computers only."}
	if d.Aborted {
		metal.LeftAlone, metal.Reason = true, "The program ended while it opened the device."
	}
	return []devices.Device{
		{ID: "cpu", Kind: "cpu", Name: "Test processor", Available: true, Threads: threads, MemoryBytes: 8 << 30, Features: []string{"avx2"}},
		metal,
	}
}

// Try opens a device that was left alone, unless Failing says why not.
func (d *App) Try(context.Context, string) ([]string, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Failing == nil {
		d.Aborted = false
	}
	return nil, d.Failing
}

func (d *App) Models(context.Context) ([]library.Model, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Offered), nil
}

func (d *App) Resolve(_ context.Context, name string) (library.Model, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for _, m := range d.Offered {
		if m.ID == name {
			return m, nil
		}
	}
	return library.Model{}, errors.New("there is no model " + name)
}

func (d *App) AddModel(_ context.Context, path string) (library.Model, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Added = append(d.Added, path)
	if d.Failing != nil {
		return library.Model{}, d.Failing
	}
	if len(d.Within) > 1 && !slices.Contains(d.Within, filepath.Base(path)) {
		several := &library.SeveralError{Folder: filepath.Base(path)}
		for _, name := range d.Within {
			several.Models = append(several.Models, [2]string{name, filepath.Join(path, name)})
		}
		return library.Model{}, several
	}
	m := library.Model{ID: path, Name: filepath.Base(path), Path: path, Source: library.SourceFolder, Kind: cmp.Or(d.AddedKind, library.KindEmbedding), Usable: true, Dimension: 26}
	d.Offered = append(d.Offered, m)
	return m, nil
}

func (d *App) AddModels(ctx context.Context, path string) (added []library.Model, err error) {
	names := d.Within
	if len(names) == 0 {
		names = []string{"."}
	}
	for _, name := range names {
		m, err := d.AddModel(ctx, filepath.Join(path, name))
		if err != nil {
			return added, err
		}
		added = append(added, m)
	}
	return added, nil
}

func (d *App) ForgetModel(id string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Offered = slices.DeleteFunc(d.Offered, func(m library.Model) bool { return m.ID == id })
	return nil
}

func (d *App) Similarity(ctx context.Context, r texts.SimilarityRequest, report func(base.Progress)) (texts.SimilarityResult, error) {
	d.Mu.Lock()
	d.asked = append(d.asked, r)
	n, failing, slow := len(d.asked), d.Failing, d.Slow
	d.Mu.Unlock()
	report(base.Progress{Stage: base.StageEmbedding, Done: 1, Total: int64(len(r.Texts)), Unit: "texts", Left: 3 * time.Second})
	late := slow != nil && slow(ctx, n)
	if ctx.Err() != nil && !late {
		return texts.SimilarityResult{}, ctx.Err()
	}
	if failing != nil {
		return texts.SimilarityResult{}, failing
	}
	m, _ := d.Resolve(ctx, r.Model)
	result := LetterResult(r.Texts, m)
	result.Pictures = r.Pictures
	result.Held, result.Took = d.readAs(r.Model, held.Embed, r.AsKept, result.Took)
	return result, nil
}

// Thumbnail is a square of the colour that a file's name stands for.
func (d *App) Thumbnail(_ context.Context, path string) (image.Image, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Failing != nil {
		return nil, d.Failing
	}
	m := image.NewNRGBA(image.Rect(0, 0, 60, 40))
	for i := range 60 * 40 {
		copy(m.Pix[4*i:], []uint8{uint8(40 * len(path)), uint8(90 + 50*len(path)), 120, 255})
	}
	return m, nil
}

// Embed counts the letters of texts.
func (d *App) Embed(_ context.Context, r texts.EmbedRequest, _ func(base.Progress)) (texts.EmbedResult, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Embedded = append(d.Embedded, r)
	got := texts.EmbedResult{Device: "cpu"}
	for _, text := range r.Texts {
		got.Vectors = append(got.Vectors, letters(text))
	}
	return got, d.Failing
}

// LetterResult compares texts by how often they use each letter.
func LetterResult(lines []string, m library.Model) texts.SimilarityResult {
	r := texts.SimilarityResult{
		Texts: lines, Model: m, Device: "cpu", Took: 20 * time.Millisecond, Load: 5 * time.Millisecond,
		TextsPerS: 500, TokensPerS: 6000, Explained: [2]float64{0.3, 0.2},
		Truncated: make([]bool, len(lines)), Tokens: make([]int, len(lines)),
	}
	for _, l := range lines {
		v := letters(l)
		r.Vectors = append(r.Vectors, v)
		r.Points = append(r.Points, [2]float64{float64(v[0])*2 - 0.5, float64(v[4])*2 - 0.5})
	}
	r.Groups = texts.GroupsOf(r.Vectors, 0).WithWords(lines)
	if len(lines) > texts.MostCompared {
		return r
	}
	for _, a := range r.Vectors {
		row := make([]float32, len(lines))
		for j, b := range r.Vectors {
			row[j] = dot(a, b)
		}
		r.Matrix = append(r.Matrix, row)
	}
	return r
}

// letters is the vector of length 1 of how often a text has each letter.
func letters(text string) []float32 {
	v := make([]float32, 26)
	norm := 0.0
	for _, c := range strings.ToLower(text) {
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
	return v
}

func dot(a, b []float32) (sum float32) {
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}

func (d *App) ReadTexts(_ context.Context, path string) (texts.Texts, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if t, ok := d.Files[path]; ok {
		return t, nil
	}
	return texts.Texts{}, errors.New(filepath.Base(path) + " is not a text file: it holds binary data")
}

func (d *App) ReadText(ctx context.Context, path string) (string, error) {
	t, err := d.ReadTexts(ctx, path)
	return strings.Join(t.Lines, "\n"), err
}

func (d *App) Settings() base.Settings {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.Kept
}

func (d *App) SaveSettings(change func(*base.Settings)) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	change(&d.Kept)
	return nil
}

func (d *App) Diagnostics() string { return "Inglenook, a report" }
func (d *App) Paths() base.Paths {
	return base.Paths{Data: "/user/data", Config: "/user/config", Cache: "/user/cache", Log: "/user/data/log"}
}

func (d *App) Tools() *tools.Service {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Servers == nil {
		d.Servers = tools.New(base.NewLifetime(), d.Log(), d.Paths(), nil, nil)
	}
	return d.Servers
}

func (d *App) Engines() *servers.Service {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Elsewhere == nil {
		d.Elsewhere = d.noEngines()
	}
	return d.Elsewhere
}
func (d *App) StoreAddress() string { return d.Settings().Documents.Store }
func (d *App) UseStore(_ context.Context, address, password string) (string, error) {
	if d.Failing != nil {
		return "", d.Failing
	}
	d.Passwords = append(d.Passwords, password)
	return "in the system's keyring", d.SaveSettings(func(s *base.Settings) { s.Documents.Store = address })
}
func (d *App) Log() *slog.Logger { return slog.New(slog.DiscardHandler) }
func (d *App) Notices() []string { return d.Warnings }
func (d *App) Requests() []texts.SimilarityRequest {
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
