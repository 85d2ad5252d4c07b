package models

import (
	"context"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/pool"
	"inglenook/ui/kit"
)

// showMemory shows what models take now and what is left, and what frees it.
func (p *Panel) showMemory() {
	parts, taken := []string{}, int64(0)
	open := p.app.OpenModels()
	for _, o := range open {
		taken += o.Bytes
	}
	if len(open) > 0 {
		parts = append(parts, kit.Count(len(openIDs(open)), "model")+" in memory, "+humanize.Bytes(uint64(taken)))
	}
	if free := p.app.FreeMemory(); free > 0 {
		parts = append(parts, humanize.Bytes(uint64(free))+" of memory free")
	}
	p.memory.Set(strings.Join(parts, " · "))
	kit.Show(p.freeAll, len(open) > 0)
	p.view.Refresh() // it takes another width
}

// openIDs are the ids of models that are open; one may be open in several ways.
func openIDs(open []pool.OpenModel) (ids []string) {
	for _, o := range open {
		if !slices.Contains(ids, o.Model) {
			ids = append(ids, o.Model)
		}
	}
	return ids
}

// unloadAll takes all models out of memory. Those that work stay, and the first of them says
// what it does.
func (p *Panel) unloadAll() {
	p.Work(func(context.Context) {
		freed, gone, errs := int64(0), 0, []error{}
		for _, id := range openIDs(p.app.OpenModels()) {
			bytes, err := p.app.CloseModel(id)
			if freed += max(0, bytes); err != nil {
				errs = append(errs, err)
			} else {
				gone++
			}
		}
		p.Do(func() {
			if gone > 0 {
				p.Tell(kit.Count(gone, "model") + " no longer in memory, which frees about " + humanize.Bytes(uint64(freed)) + ". What you use loads again.")
			}
			if len(errs) > 0 {
				p.ShowError(errs[0])
			}
			p.reload()
		})
	})
}
