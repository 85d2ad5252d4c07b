package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"inglenook/hub"
)

// Installed is a model of this computer with what its files tell beside the model.
type Installed struct {
	Model
	Licence  string // as its README states it; empty: it does not
	Revision string // commit of a Hub snapshot; empty: it is none
	Open     []OpenModel
}

// OpenModel is a model that is in memory now.
type OpenModel struct {
	Model  string // its id
	Name   string
	Job    string    // "chat", "embed", "rerank", "forward"
	Bytes  int64     // of memory, as compat counts it; 0: unknown
	InUse  bool      // somebody works with it, or holds it for a conversation
	Since  time.Time // when it was opened
	Device string
}

// Library lists the models of this computer, as Models does, with licence and
// revision, and which of them are in memory.
func (a *App) Library(ctx context.Context) ([]Installed, error) {
	models, err := a.Models(ctx)
	if err != nil {
		return nil, err
	}
	open := a.OpenModels()
	list := make([]Installed, len(models))
	for i, m := range models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list[i] = Installed{Model: m}
		if p, err := a.locate(m.ID); err == nil {
			list[i].Revision = p.revision()
			list[i].Licence = licenceOf(p)
		}
		for _, o := range open {
			if o.Model == m.ID {
				list[i].Open = append(list[i].Open, o)
			}
		}
	}
	return list, nil
}

// revision is the commit whose snapshot the place is; empty: it is none.
func (p place) revision() string {
	if commit := path.Base(p.sub); path.Base(path.Dir(p.sub)) == "snapshots" && hub.ValidCommit(commit) {
		return commit
	}
	return ""
}

// licenceOf reads the licence from the front matter of the README (Hugging Face's
// documentation: "Model Cards"); empty where there is none.
func licenceOf(p place) string {
	folder, closer, err := p.open()
	if err != nil {
		return ""
	}
	defer closer.Close()
	f, err := folder.Open("README.md")
	if err != nil {
		return ""
	}
	defer f.Close()
	return frontMatterLicence(f)
}

// mostFrontMatter bounds what is read of a README.
const mostFrontMatter = 64 << 10

func frontMatterLicence(readme io.Reader) string {
	lines := bufio.NewScanner(io.LimitReader(readme, mostFrontMatter))
	licence, name := "", ""
	for first := true; lines.Scan(); first = false {
		line := strings.TrimRight(lines.Text(), " \r")
		if line = strings.TrimPrefix(line, "\ufeff"); first != (line == "---") {
			break // not the front matter, or its end
		}
		if value, ok := strings.CutPrefix(line, "license:"); ok {
			licence = plainValue(value)
		}
		if value, ok := strings.CutPrefix(line, "license_name:"); ok {
			name = plainValue(value)
		}
	}
	if licence == "other" && name != "" {
		return name
	}
	return licence
}

// plainValue is a YAML scalar on one line, short enough to show.
func plainValue(value string) string {
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if len(value) > 100 || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' }) {
		return ""
	}
	return value
}

// OpenModels are the models that are in memory now, the one used last first.
// Tokenizers alone do not count.
func (a *App) OpenModels() []OpenModel {
	s := a.shelf
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []OpenModel
	for _, x := range s.slots {
		if x.wanted.computes {
			list = append(list, OpenModel{
				Model: x.key.model, Name: x.wanted.name, Job: x.key.job, Bytes: x.wanted.bytes,
				InUse: x.users > 0, Since: x.since, Device: x.wanted.device,
			})
		}
	}
	return list
}

// CloseModel frees the memory of a model that is open, and says how much that is
// by compat's count. One that somebody works with stays.
func (a *App) CloseModel(id string) (freed int64, err error) {
	resting := slices.DeleteFunc(a.shelf.resting(), func(x *slot) bool { return x.key.model != id })
	var errs []error
	for _, x := range resting {
		if a.shelf.used(x) && !a.shelf.holder.letGo(id) {
			continue
		}
		freed += x.wanted.bytes
		errs = append(errs, a.shelf.shut(x))
	}
	for _, o := range a.OpenModels() {
		if o.Model == id {
			errs = append(errs, fmt.Errorf("%s is at work; wait until that has ended, or stop it", o.Name))
			break
		}
	}
	return freed, errors.Join(errs...)
}

// FreeMemory is how many bytes models may still take; 0: unknown.
func (a *App) FreeMemory() int64 {
	if free := availableMemory(); free < noMemoryLimit {
		return free
	}
	return 0
}

// noMemoryLimit is more than any computer has.
const noMemoryLimit = int64(1) << 60
