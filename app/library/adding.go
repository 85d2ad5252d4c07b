package library

import (
	"context"
	"fmt"
	"slices"

	"inglenook/app/base"
)

// AddModel is AddModels for work that is done with one model. A folder that holds
// several is refused, with a [SeveralError].
func (l *Service) AddModel(ctx context.Context, path string) (Model, error) {
	list, err := l.add(ctx, path, true)
	if len(list) == 0 {
		return Model{}, err
	}
	return list[0], err
}

// AddModels checks a file, or a folder with all models that it holds, which somebody
// dropped or opened, and puts them on the list of recent ones. What can't be used is not
// added; the error says why, also where others were added.
func (l *Service) AddModels(ctx context.Context, path string) (added []Model, err error) {
	return l.add(ctx, path, false)
}

func (l *Service) add(ctx context.Context, path string, one bool) (added []Model, err error) {
	ctx, done, err := l.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	chosen, err := pathPlace(ctx, base.ExpandHome(path))
	if err != nil {
		return nil, err
	}
	places, err := held(ctx, chosen)
	if err != nil {
		return nil, err
	}
	if one && len(places) > 1 {
		return nil, several(chosen, places)
	}
	var refused []Entry
	for _, p := range places {
		e := l.examine(ctx, p)
		if err := ctx.Err(); err != nil { // and what examine found is that
			return nil, err
		}
		if e.Usable {
			added = append(added, e.Model)
		} else {
			refused = append(refused, e)
		}
	}
	if len(added) > 0 {
		l.remember(chosen, added)
	}
	switch len(refused) {
	case 0:
		return added, nil
	case 1:
		return added, fmt.Errorf("%s was not added: %s", refused[0].Name, refused[0].Reason)
	}
	return added, fmt.Errorf("%d models were not added, such as %s: %s", len(refused), refused[0].Name, refused[0].Reason)
}

// remember puts models first on the list of recent ones. The chosen folder leaves it if
// it is none of them: it was taken for a model before others were found in it.
func (l *Service) remember(chosen Location, added []Model) {
	var ids []string
	for _, m := range added {
		ids = append(ids, m.ID)
	}
	err := l.settings.SaveSettings(func(s *base.Settings) {
		s.Recent = append(slices.Clone(ids), slices.DeleteFunc(s.Recent, func(have string) bool {
			return have == chosen.ID || slices.Contains(ids, have)
		})...)
	})
	if err != nil {
		l.log.Warn("recent models not kept", "models", ids, "error", err)
	}
}
