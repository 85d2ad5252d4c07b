package uitest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/pool"
)

// hubbing is what a double knows of the Hub.
type hubbing struct {
	Offline   bool
	Folder    string            // of models; "": the usual one
	Free      int64             // memory, in bytes; 0: 4 GiB
	Disk      int64             // that is free, in bytes; 0: 50 GB
	Cards     map[string]string // by model
	Licences  map[string]string // of installed models
	Open      []pool.OpenModel
	Closed    []string
	Found     []downloads.Found
	Entries   []library.CatalogueEntry // nil: three of its own
	Searched  []downloads.SearchRequest
	Previews  map[string]downloads.Preview
	Previewed []downloads.PreviewRequest
	Failing   error    // what search and preview answer
	Tested    []string // address, proxy, token and password of the last test of the connection
	downloads []downloads.Download
	aside     []downloads.Download // cancelled, and kept for an Undo
	Started   []downloads.DownloadRequest
	Did       []string // what was done with downloads
	Bad       downloads.Verification
	removed   []string
	Restored  []string
	trash     []downloads.Removed
	update    string
	network   []base.Network // what was set
	Token     string
	Password  string
	Where     string // where secrets are kept
	past      []base.Connection
}

func (d *App) Library(ctx context.Context) ([]pool.Installed, error) {
	models, err := d.Models(ctx)
	d.Mu.Lock()
	defer d.Mu.Unlock()
	var list []pool.Installed
	for _, m := range models {
		i := pool.Installed{Model: m, Licence: d.Hub.Licences[m.ID]}
		for _, o := range d.Hub.Open {
			if o.Model == m.ID {
				i.Open = append(i.Open, o)
			}
		}
		list = append(list, i)
	}
	return list, err
}

func (d *App) OpenModels() []pool.OpenModel {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Hub.Open)
}

func (d *App) CloseModel(id string) (int64, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Closed = append(d.Hub.Closed, id)
	d.Hub.Open = slices.DeleteFunc(d.Hub.Open, func(o pool.OpenModel) bool { return o.Model == id })
	return 100 << 20, nil
}

// FreeMemory is what Hub says, or else some.
func (d *App) FreeMemory() int64 {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return cmp.Or(d.Hub.Free, 4<<30)
}

// FreeDisk is what Hub says, or else some.
func (d *App) FreeDisk() int64 {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return cmp.Or(d.Hub.Disk, 50e9)
}

// ModelFolder is where Hub says, or else the usual folder.
func (d *App) ModelFolder() string {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return cmp.Or(d.Hub.Folder, base.HubCache())
}

func (d *App) UseModelFolder(folder string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Hub.Failing == nil {
		d.Hub.Folder = folder
	}
	return d.Hub.Failing
}

// Card returns the card of a model, as Hub has it.
func (d *App) Card(_ context.Context, id string) (string, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.Hub.Cards[id], d.Failing
}

func (d *App) Catalogue() []library.CatalogueEntry {
	if d.Hub.Entries != nil {
		return d.Hub.Entries
	}
	return []library.CatalogueEntry{
		{
			ID: "org/talker", Name: "Talker 1B", Task: library.KindChat, Use: "Talking about anything at all", Notes: "It is small.",
			Architecture: "LlamaForCausalLM", Parameters: 1e9, Licence: "Apache-2.0", Context: 4096,
			Downloads: []library.CatalogueDownload{{Repo: "org/talker-GGUF", File: "talker-q4.gguf", Type: "Q4_K_M", Bytes: 600e6}, {Repo: "org/talker", Type: "BF16", Bytes: 2e9}},
		},
		{
			ID: "org/other", Name: "Other", Task: library.KindEmbedding, Use: "Comparing texts of any kind",
			Architecture: "BertModel", Parameters: 22e6, Licence: "MIT", Context: 256, Dimension: 384, Downloads: []library.CatalogueDownload{{Repo: "org/other", Type: "F32", Bytes: 90e6}},
		},
		{
			ID: "org/giant", Name: "Giant 70B", Task: library.KindChat, Use: "Talking where memory is no question",
			Architecture: "LlamaForCausalLM", Parameters: 70e9, Licence: "Giant Licence", Context: 8192, Gated: true, Downloads: []library.CatalogueDownload{{Repo: "org/giant", Type: "BF16", Bytes: 140e9}},
		},
	}
}

// Suggest recommends the first model of the catalogue, and knows a larger one.
func (d *App) Suggest(context.Context) ([]fit.Suggestion, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	small := library.CatalogueEntry{ID: "org/small", Name: "Small 1B", Use: "Everyday questions", Licence: "Apache-2.0"}
	large := library.CatalogueEntry{ID: "org/large", Name: "Large 4B", Use: "Harder questions", Licence: "MIT"}
	return []fit.Suggestion{
		{Model: small, Download: library.CatalogueDownload{Repo: "org/small-GGUF", File: "small-q4.gguf", Bytes: 600e6}, TokensPerS: 20},
		{Model: large, Download: library.CatalogueDownload{Repo: "org/large-GGUF", File: "large-q4.gguf", Bytes: 2.5e9}, TokensPerS: 5},
	}, d.Hub.Failing
}

func (d *App) SearchHub(_ context.Context, r downloads.SearchRequest) ([]downloads.Found, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Searched = append(d.Hub.Searched, r)
	return slices.Clone(d.Hub.Found), d.Hub.Failing
}

func (d *App) Preview(_ context.Context, r downloads.PreviewRequest) (downloads.Preview, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Previewed = append(d.Hub.Previewed, r)
	p, ok := d.Hub.Previews[r.ID]
	if !ok && d.Hub.Failing == nil {
		return p, errors.New(r.ID + " is not on the Hub")
	}
	if i := slices.IndexFunc(p.Variants, func(v downloads.Variant) bool { return v.Name == r.Variant }); i >= 0 {
		p.Chosen = i
	}
	return p, d.Hub.Failing
}

func (d *App) Offline() bool {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.Hub.Offline || d.Kept.Network.Offline
}

func (d *App) Downloads() []downloads.Download {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Hub.downloads)
}

func (d *App) StartDownload(_ context.Context, r downloads.DownloadRequest) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Started = append(d.Hub.Started, r)
	d.Hub.downloads = append(d.Hub.downloads, downloads.Download{ID: r.ID, Revision: "main", State: downloads.DownloadQueued})
	return nil
}

func (d *App) SetDownload(id string, change func(*downloads.Download)) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for i := range d.Hub.downloads {
		if d.Hub.downloads[i].ID == id {
			change(&d.Hub.downloads[i])
		}
	}
}

func (d *App) note(what, id string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Did = append(d.Hub.Did, what+" "+id)
	return nil
}

func (d *App) PauseDownload(id, _ string) error {
	d.SetDownload(id, func(x *downloads.Download) { x.State = downloads.DownloadPaused })
	return d.note("pause", id)
}

func (d *App) ResumeDownload(id, _ string) error {
	d.SetDownload(id, func(x *downloads.Download) { x.State = downloads.DownloadQueued })
	return d.note("resume", id)
}

// SetAside and BringBack keep the download in between.
func (d *App) SetAside(id, _ string) error {
	d.Mu.Lock()
	d.Hub.aside = append(d.Hub.aside, d.Hub.downloads...)
	d.Hub.aside = slices.DeleteFunc(d.Hub.aside, func(x downloads.Download) bool { return x.ID != id })
	d.Hub.downloads = slices.DeleteFunc(d.Hub.downloads, func(x downloads.Download) bool { return x.ID == id })
	d.Mu.Unlock()
	return d.note("aside", id)
}

func (d *App) BringBack(id, _ string) error {
	d.Mu.Lock()
	d.Hub.downloads = append(d.Hub.downloads, d.Hub.aside...)
	d.Hub.aside = nil
	d.Mu.Unlock()
	return d.note("back", id)
}

func (d *App) CancelDownload(id, _ string) error {
	d.Mu.Lock()
	d.Hub.downloads = slices.DeleteFunc(d.Hub.downloads, func(x downloads.Download) bool { return x.ID == id })
	d.Mu.Unlock()
	return d.note("cancel", id)
}

func (d *App) MoveDownload(id, _ string, place int) error {
	d.Mu.Lock()
	i := slices.IndexFunc(d.Hub.downloads, func(x downloads.Download) bool { return x.ID == id })
	x := d.Hub.downloads[i]
	d.Hub.downloads = slices.Insert(slices.Delete(d.Hub.downloads, i, i+1), place, x)
	d.Mu.Unlock()
	return d.note("move", id)
}

func (d *App) ClearDownloads() {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.downloads = slices.DeleteFunc(d.Hub.downloads, func(x downloads.Download) bool { return x.State == downloads.DownloadDone })
}

func (d *App) VerifyModel(_ context.Context, _ string, report func(base.Progress)) (downloads.Verification, error) {
	report(base.Progress{Done: 1, Total: 2})
	d.Mu.Lock()
	defer d.Mu.Unlock()
	v := d.Hub.Bad
	v.Files, v.Bytes = 3, 90e6
	return v, nil
}

func (d *App) RepairModel(ctx context.Context, id string, report func(base.Progress)) (downloads.Verification, error) {
	d.Mu.Lock()
	d.Hub.Bad = downloads.Verification{}
	d.Mu.Unlock()
	return d.VerifyModel(ctx, id, report)
}

func (d *App) RemoveModel(id string) (downloads.Removed, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.removed = append(d.Hub.removed, id)
	d.Offered = slices.DeleteFunc(d.Offered, func(m library.Model) bool { return m.ID == id })
	d.Hub.trash = append(d.Hub.trash, downloads.Removed{ID: id, Bytes: 90e6})
	return d.Hub.trash[len(d.Hub.trash)-1], nil
}

func (d *App) Trash() []downloads.Removed {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Hub.trash)
}

func (d *App) DeleteRemoved(r downloads.Removed) (freed int64, err error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.trash = slices.DeleteFunc(d.Hub.trash, func(x downloads.Removed) bool { return x.ID == r.ID })
	return r.Bytes, nil
}

func (d *App) RestoreModel(r downloads.Removed) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Restored = append(d.Hub.Restored, r.ID)
	d.Hub.trash = slices.DeleteFunc(d.Hub.trash, func(x downloads.Removed) bool { return x.ID == r.ID })
	d.Offered = append(d.Offered, library.Model{ID: r.ID, Name: r.ID, Source: library.SourceHubCache, Kind: library.KindEmbedding, Usable: true})
	return nil
}

func (d *App) UpdateOf(context.Context, string) (string, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.Hub.update, nil
}

// TalkerPreview is what the Hub tells of the talker's GGUF files.
func TalkerPreview() downloads.Preview {
	file := func(name string, fetched bool, why string) downloads.PreviewFile {
		return downloads.PreviewFile{Path: name, Bytes: 600e6, Fetched: fetched, Why: why}
	}
	variant := func(name, fits, why string) downloads.Variant {
		file := file("talker-"+strings.ToLower(name)+".gguf", true, "it was asked for")
		return downloads.Variant{Name: name, Format: "gguf", Bytes: 600e6, Needs: 700e6, Fits: fits, Why: why, Files: []downloads.PreviewFile{file, {Path: "talker.bin", Bytes: 5, Why: "its format can run code"}}}
	}
	return downloads.Preview{
		ID: "org/talker-GGUF", Revision: "main", Commit: "c0ffee01c0ffee01", Licence: "apache-2.0",
		Variants:  []downloads.Variant{variant("Q8_0", fit.FitsWell, "The best that fits: it needs about 700 MB of memory."), variant("Q4_K_M", fit.FitsWell, "")},
		Suggested: 0, Chosen: 0,
		Compat: fit.Compat{Model: "org/talker-GGUF", Architecture: "LlamaForCausalLM", Context: 4096, Writes: true, Devices: []fit.CompatDevice{
			{Device: "cpu", Verdict: fit.VerdictFull, Memory: fit.CompatMemory{Total: 700 << 20, Available: 4 << 30}, Predicted: []fit.Prediction{{Work: fit.WorkGenerate, Amount: 512, Unit: "tokens/s", Value: 12.5}}},
			{Device: "metal", Verdict: fit.VerdictNo, Reason: "Metal exists on Apple computers only"},
		}},
	}
}

func (d *App) SetNetwork(n base.Network) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if strings.HasPrefix(n.Endpoint, "ftp:") {
		return errors.New("the address is not complete")
	}
	n = n.Tidied()
	d.Kept.Network = n
	d.Hub.network = append(d.Hub.network, n)
	return nil
}

func (d *App) Secrets(context.Context) base.SecretState {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	var s base.SecretState
	if d.Hub.Token != "" {
		s.Token = d.Hub.Where
	}
	if d.Hub.Password != "" {
		s.Proxy = d.Hub.Where
	}
	return s
}

func (d *App) SetToken(_ context.Context, token string) (string, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Token = token
	return d.Hub.Where, nil
}

func (d *App) SetProxyPassword(_ context.Context, password string) (string, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Password = password
	return d.Hub.Where, nil
}

func (d *App) TestConnection(_ context.Context, with base.Network, token, password string) (string, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Hub.Tested = []string{with.Endpoint, with.Proxy, token, password}
	d.Hub.past = append(d.Hub.past, base.Connection{Method: "GET", URL: "https://hub.test/api/models", Status: 200, Bytes: 5})
	return "https://hub.test answers; no token was sent.", d.Hub.Failing
}

func (d *App) Connections() []base.Connection {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Hub.past)
}
