package pool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"inglenook/app/library"
)

// Installed is a model of this computer with what is known of it beside the model.
type Installed struct {
	library.Model
	Licence  string // as its README states it; empty: it does not
	Revision string // commit of a Hub snapshot; empty: it is none
	Open     []OpenModel
}

// jobChat is the job of a model that writes.
const jobChat = "chat"

// OpenModel is a model that is in memory now.
type OpenModel struct {
	Model  string // its id
	Name   string
	Job    string        // "chat", "embed", "rerank", "forward"
	Bytes  int64         // of memory, as compat counts it; 0: unknown
	InUse  bool          // somebody works with it; one that a conversation holds between two answers rests
	Since  time.Time     // when it was opened
	Load   time.Duration // that opening took
	Device string
	// Weights is how they are held: "q8_0", "q4_k"; empty: as in the file.
	Weights string
}

// Library lists the models of this computer with licence and revision, and which of
// them are in memory.
func (p *Pool) Library(ctx context.Context) ([]Installed, error) {
	models, err := p.library.Models(ctx)
	if err != nil {
		return nil, err
	}
	open := p.OpenModels()
	list := make([]Installed, len(models))
	for i, m := range models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list[i] = Installed{Model: m}
		list[i].Licence, list[i].Revision = p.library.Facts(ctx, m.ID)
		for _, o := range open {
			if o.Model == m.ID {
				list[i].Open = append(list[i].Open, o)
			}
		}
	}
	return list, nil
}

// OpenModels are the models that are in memory now, the one used last first.
// Tokenizers alone do not count.
func (p *Pool) OpenModels() []OpenModel {
	s := p.openSet
	s.mu.Lock()
	slots := slices.Clone(s.slots)
	users := make([]int, len(slots))
	for i, x := range slots {
		users[i] = x.users
	}
	s.mu.Unlock()
	var list []OpenModel
	for i, x := range slots {
		if x.wanted.computes {
			list = append(list, OpenModel{
				Model: x.key.model, Name: x.wanted.name, Job: x.key.job, Bytes: x.wanted.Bytes,
				InUse: users[i] > 1 || users[i] == 1 && !s.holdsIdle(x), Since: x.since, Load: x.load, Device: x.wanted.device, Weights: asShown(x.wanted.weights),
			})
		}
	}
	return list
}

// noteUse notes that a model is used: it was asked for, to work at once. A conversation opens its
// model before that, and notes itself when it answers.
func (p *Pool) noteUse(job, model string) {
	if job != jobChat {
		p.library.Used(model)
	}
}

// asShown is a way to hold weights, empty where they are as in the file.
func asShown(weights string) string {
	if weights == "auto" {
		return ""
	}
	return weights
}

// workOf says what a model that is open for a job is doing while it is in use.
func workOf(job string) string {
	switch {
	case job == jobChat:
		return "it writes an answer"
	case job == "rerank":
		return "it ranks texts"
	case strings.HasPrefix(job, "embed"):
		return "it reads texts or pictures, as for Documents or Similarity"
	}
	return "it is being measured or tried"
}

// CloseModel frees the memory of a model that is open, and says how much that is
// by compat's count. One that somebody works with stays.
func (p *Pool) CloseModel(id string) (freed int64, err error) {
	resting := slices.DeleteFunc(p.openSet.resting(), func(x *slot) bool { return x.key.model != id })
	var errs []error
	for _, x := range resting {
		if p.openSet.kept(x) {
			continue
		}
		freed += x.wanted.Bytes
		errs = append(errs, p.openSet.shut(x))
	}
	for _, o := range p.OpenModels() {
		if o.Model == id {
			errs = append(errs, fmt.Errorf("%s is busy: %s; wait until that has finished, or stop it", o.Name, workOf(o.Job)))
			break
		}
	}
	return freed, errors.Join(errs...)
}
