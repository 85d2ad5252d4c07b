package ui

import (
	"context"
	"errors"
	"slices"
	"strings"

	"inglenook/app"
)

// hubbing is what a double knows of the Hub.
type hubbing struct {
	offline   bool
	licences  map[string]string // of installed models
	open      []app.OpenModel
	closed    []string
	found     []app.Found
	searched  []app.SearchRequest
	previews  map[string]app.Preview
	previewed []app.PreviewRequest
	failing   error // what search and preview answer
	downloads []app.Download
	started   []app.DownloadRequest
	did       []string // what was done with downloads
	bad       app.Verification
	removed   []string
	restored  []string
	trash     []app.Removed
	update    string
	network   []app.Network // what was set
	token     string
	password  string
	where     string // where secrets are kept
	past      []app.Connection
}

func (d *double) Library(ctx context.Context) ([]app.Installed, error) {
	models, err := d.Models(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []app.Installed
	for _, m := range models {
		i := app.Installed{Model: m, Licence: d.hub.licences[m.ID]}
		for _, o := range d.hub.open {
			if o.Model == m.ID {
				i.Open = append(i.Open, o)
			}
		}
		list = append(list, i)
	}
	return list, err
}

func (d *double) OpenModels() []app.OpenModel {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.hub.open)
}

func (d *double) CloseModel(id string) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.closed = append(d.hub.closed, id)
	d.hub.open = slices.DeleteFunc(d.hub.open, func(o app.OpenModel) bool { return o.Model == id })
	return 100 << 20, nil
}

func (d *double) FreeMemory() int64 { return 4 << 30 }

func (d *double) Catalogue() []app.CatalogueEntry {
	return []app.CatalogueEntry{
		{
			ID: "org/talker", Name: "Talker 1B", Task: app.KindChat, Use: "Talking about anything at all", Notes: "It is small.",
			Architecture: "LlamaForCausalLM", Parameters: 1e9, Licence: "Apache-2.0", Context: 4096,
			Downloads: []app.CatalogueDownload{{Repo: "org/talker-GGUF", File: "talker-q4.gguf", Type: "Q4_K_M", Bytes: 600e6}, {Repo: "org/talker", Type: "BF16", Bytes: 2e9}},
		},
		{
			ID: "org/other", Name: "Other", Task: app.KindEmbedding, Use: "Comparing texts of any kind",
			Architecture: "BertModel", Parameters: 22e6, Licence: "MIT", Context: 256, Dimension: 384, Downloads: []app.CatalogueDownload{{Repo: "org/other", Type: "F32", Bytes: 90e6}},
		},
		{
			ID: "org/giant", Name: "Giant 70B", Task: app.KindChat, Use: "Talking where memory is no question",
			Architecture: "LlamaForCausalLM", Parameters: 70e9, Licence: "Giant Licence", Context: 8192, Gated: true, Downloads: []app.CatalogueDownload{{Repo: "org/giant", Type: "BF16", Bytes: 140e9}},
		},
	}
}

func (d *double) SearchHub(_ context.Context, r app.SearchRequest) ([]app.Found, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.searched = append(d.hub.searched, r)
	return slices.Clone(d.hub.found), d.hub.failing
}

func (d *double) Preview(_ context.Context, r app.PreviewRequest) (app.Preview, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.previewed = append(d.hub.previewed, r)
	p, ok := d.hub.previews[r.ID]
	if !ok && d.hub.failing == nil {
		return p, errors.New(r.ID + " is not on the Hub")
	}
	if i := slices.IndexFunc(p.Variants, func(v app.Variant) bool { return v.Name == r.Variant }); i >= 0 {
		p.Chosen = i
	}
	return p, d.hub.failing
}

func (d *double) Offline() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hub.offline
}

func (d *double) Downloads() []app.Download {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.hub.downloads)
}

func (d *double) StartDownload(_ context.Context, r app.DownloadRequest) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.started = append(d.hub.started, r)
	d.hub.downloads = append(d.hub.downloads, app.Download{ID: r.ID, Revision: "main", State: app.DownloadQueued})
	return nil
}

func (d *double) setDownload(id string, change func(*app.Download)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.hub.downloads {
		if d.hub.downloads[i].ID == id {
			change(&d.hub.downloads[i])
		}
	}
}

func (d *double) note(what, id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.did = append(d.hub.did, what+" "+id)
	return nil
}

func (d *double) PauseDownload(id, _ string) error {
	d.setDownload(id, func(x *app.Download) { x.State = app.DownloadPaused })
	return d.note("pause", id)
}

func (d *double) ResumeDownload(id, _ string) error {
	d.setDownload(id, func(x *app.Download) { x.State = app.DownloadQueued })
	return d.note("resume", id)
}

func (d *double) CancelDownload(id, _ string) error {
	d.mu.Lock()
	d.hub.downloads = slices.DeleteFunc(d.hub.downloads, func(x app.Download) bool { return x.ID == id })
	d.mu.Unlock()
	return d.note("cancel", id)
}

func (d *double) MoveDownload(id, _ string, place int) error {
	d.mu.Lock()
	i := slices.IndexFunc(d.hub.downloads, func(x app.Download) bool { return x.ID == id })
	x := d.hub.downloads[i]
	d.hub.downloads = slices.Insert(slices.Delete(d.hub.downloads, i, i+1), place, x)
	d.mu.Unlock()
	return d.note("move", id)
}

func (d *double) ClearDownloads() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.downloads = slices.DeleteFunc(d.hub.downloads, func(x app.Download) bool { return x.State == app.DownloadDone })
}

func (d *double) VerifyModel(_ context.Context, _ string, report func(app.Progress)) (app.Verification, error) {
	report(app.Progress{Done: 1, Total: 2})
	d.mu.Lock()
	defer d.mu.Unlock()
	v := d.hub.bad
	v.Files, v.Bytes = 3, 90e6
	return v, nil
}

func (d *double) RepairModel(ctx context.Context, id string, report func(app.Progress)) (app.Verification, error) {
	d.mu.Lock()
	d.hub.bad = app.Verification{}
	d.mu.Unlock()
	return d.VerifyModel(ctx, id, report)
}

func (d *double) RemoveModel(id string) (app.Removed, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.removed = append(d.hub.removed, id)
	d.models = slices.DeleteFunc(d.models, func(m app.Model) bool { return m.ID == id })
	d.hub.trash = append(d.hub.trash, app.Removed{ID: id, Bytes: 90e6})
	return d.hub.trash[len(d.hub.trash)-1], nil
}

func (d *double) Trash() []app.Removed {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.hub.trash)
}

func (d *double) EmptyTrash() (freed int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.hub.trash {
		freed += r.Bytes
	}
	d.hub.trash = nil
	return freed, nil
}

func (d *double) RestoreModel(r app.Removed) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.restored, d.hub.trash = append(d.hub.restored, r.ID), nil
	d.models = append(d.models, app.Model{ID: r.ID, Name: r.ID, Source: app.SourceHubCache, Kind: app.KindEmbedding, Usable: true})
	return nil
}

func (d *double) UpdateOf(context.Context, string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hub.update, nil
}

// talkerPreview is what the Hub tells of the talker's GGUF files.
func talkerPreview() app.Preview {
	file := func(name string, fetched bool, why string) app.PreviewFile {
		return app.PreviewFile{Path: name, Bytes: 600e6, Fetched: fetched, Why: why}
	}
	variant := func(name, fits, why string) app.Variant {
		file := file("talker-"+strings.ToLower(name)+".gguf", true, "it was asked for")
		return app.Variant{Name: name, Format: "gguf", Bytes: 600e6, Needs: 700e6, Fits: fits, Why: why, Files: []app.PreviewFile{file, {Path: "talker.bin", Bytes: 5, Why: "its format can run code"}}}
	}
	return app.Preview{
		ID: "org/talker-GGUF", Revision: "main", Commit: "c0ffee01c0ffee01", Licence: "apache-2.0",
		Variants:  []app.Variant{variant("Q8_0", app.FitsWell, "The best that fits: it needs about 700 MB of memory."), variant("Q4_K_M", app.FitsWell, "")},
		Suggested: 0, Chosen: 0,
		Compat: app.Compat{Model: "org/talker-GGUF", Architecture: "LlamaForCausalLM", Context: 4096, Writes: true, Devices: []app.CompatDevice{
			{Device: "cpu", Verdict: app.VerdictFull, Memory: app.CompatMemory{Total: 700 << 20, Available: 4 << 30}, Predicted: []app.Prediction{{Work: app.WorkGenerate, Amount: 512, Unit: "tokens/s", Value: 12.5}}},
			{Device: "metal", Verdict: app.VerdictNo, Reason: "Metal exists on Apple computers only"},
		}},
	}
}

func (d *double) SetNetwork(n app.Network) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if strings.HasPrefix(n.Endpoint, "ftp:") {
		return errors.New("the endpoint is not an address")
	}
	d.settings.Network = n
	d.hub.network = append(d.hub.network, n)
	return nil
}

func (d *double) Secrets(context.Context) app.SecretState {
	d.mu.Lock()
	defer d.mu.Unlock()
	var s app.SecretState
	if d.hub.token != "" {
		s.Token = d.hub.where
	}
	if d.hub.password != "" {
		s.Proxy = d.hub.where
	}
	return s
}

func (d *double) SetToken(_ context.Context, token string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.token = token
	return d.hub.where, nil
}

func (d *double) SetProxyPassword(_ context.Context, password string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.password = password
	return d.hub.where, nil
}

func (d *double) TestConnection(context.Context) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hub.past = append(d.hub.past, app.Connection{Method: "GET", URL: "https://hub.test/api/models", Status: 200, Bytes: 5})
	return "https://hub.test answers; no token was sent.", d.hub.failing
}

func (d *double) Connections() []app.Connection {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.hub.past)
}
