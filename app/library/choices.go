package library

import (
	"context"
	"slices"
	"strings"

	"inglenook/app/base"
)

// Texts of a collection go to a server only where a person chose it for that collection, on this
// computer and at its present addresses. The collection itself says only how a server is called,
// by whoever indexed it last, and that name may be another server's here, or become so.

// mostChoices is how many servers are remembered for a collection.
const mostChoices = 8

// ChooseFor notes which model a person chose here to embed a collection. Those chosen before may be
// asked questions until its vectors are there: Chosen ends that.
func (l *Service) ChooseFor(collection string, e Entry) error {
	if !e.Elsewhere() {
		return nil
	}
	chosen := base.Choice{Model: e.ID, Addresses: l.servers.Addresses(e.ID)}
	return l.changeChoices(collection, func(all []base.Choice) []base.Choice {
		all = slices.DeleteFunc(slices.Clone(all), func(c base.Choice) bool { return c.Model == e.ID })
		all = append([]base.Choice{chosen}, all...)
		return all[:min(len(all), mostChoices)]
	})
}

// Chosen notes that the vectors of a collection are those of a model, so that texts of it go to no other.
func (l *Service) Chosen(collection string, e Entry) error {
	return l.changeChoices(collection, func(all []base.Choice) []base.Choice {
		return slices.DeleteFunc(slices.Clone(all), func(c base.Choice) bool { return c.Model != e.ID })
	})
}

// ForgetChoices notes that a collection is gone.
func (l *Service) ForgetChoices(collection string) error {
	return l.changeChoices(collection, func([]base.Choice) []base.Choice { return nil })
}

// MoveChoices notes that a collection has another id.
func (l *Service) MoveChoices(from, to string) error {
	moved := l.settings.Settings().Documents.Choices[from]
	if len(moved) == 0 {
		return nil
	}
	if err := l.changeChoices(to, func([]base.Choice) []base.Choice { return moved }); err != nil {
		return err
	}
	return l.ForgetChoices(from)
}

func (l *Service) changeChoices(collection string, change func([]base.Choice) []base.Choice) error {
	same := func(a, b base.Choice) bool { return a.Model == b.Model && slices.Equal(a.Addresses, b.Addresses) }
	before := l.settings.Settings().Documents.Choices[collection]
	if slices.EqualFunc(before, change(before), same) {
		return nil
	}
	return l.settings.SaveSettings(func(x *base.Settings) {
		after := change(x.Documents.Choices[collection])
		if len(after) == 0 {
			delete(x.Documents.Choices, collection)
			return
		}
		if x.Documents.Choices == nil {
			x.Documents.Choices = map[string][]base.Choice{}
		}
		x.Documents.Choices[collection] = after
	})
}

// NameHere returns how an embedder of a server, as a collection names it, is called on this computer.
// Others who share a collection may call their server something else, so the one that a person chose
// here is meant where its model is called the same. chosen is false where the texts of the collection
// may not be sent there.
func (l *Service) NameHere(collection, name string) (here string, chosen bool) {
	var valid []base.Choice
	for _, c := range l.settings.Settings().Documents.Choices[collection] {
		if now := l.servers.Addresses(c.Model); len(now) > 0 && !slices.ContainsFunc(now, func(a string) bool { return !slices.Contains(c.Addresses, a) }) {
			valid = append(valid, c)
		}
	}
	server, model, _ := strings.Cut(name, "/")
	for _, fits := range []func(of, called string) bool{
		func(of, called string) bool { return of == server && called == model },
		func(_, called string) bool { return called == model },
		func(of, _ string) bool { return of == server },
	} {
		for _, c := range valid {
			if of, called, _ := strings.Cut(c.Model, "/"); fits(of, called) {
				if of == server {
					return name, true
				}
				return c.Model, true
			}
		}
	}
	return name, l.servers.ByName(name)
}

// OnServer reports whether a name is that of a model of a server: one has that name, and no such
// model lies here.
func (l *Service) OnServer(ctx context.Context, name string) bool {
	if !l.servers.Names(name) {
		return false
	}
	if l.listed(name) {
		return true
	}
	_, _, err := l.besideServer(ctx, name)
	return err != nil
}

// HasServer reports whether a model is one of a server that is known here.
func (l *Service) HasServer(name string) bool { return l.servers.Names(name) }
