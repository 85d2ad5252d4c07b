package library

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"inglenook/app/base"
	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// hubPlace finds the snapshot of a Hub id in a cache folder. The id is checked
// before any path is made of it.
func hubPlace(ctx context.Context, folder, id string) (Location, error) {
	if err := repo.CheckID(id); err != nil {
		return Location{}, err
	}
	found, err := cache.Open(folder).Find(ctx, id)
	if errors.Is(err, fault.ErrNotInstalled) {
		owner, _, _ := strings.Cut(id, "/")
		err = fmt.Errorf("%w (%s); download it (inglenook models pull %s), give a folder that holds it, or add the server %s if it is a model of that", err, base.ShortPath(folder), id, owner)
		return Location{}, unavailable(id, err)
	}
	if err != nil {
		return Location{}, err
	}
	return Location{ID: id, Name: id, Source: SourceHubCache, Path: found.Path(), root: found.Root, Sub: found.Sub}, nil
}

// hubPlaces lists the models of a cache folder by id; none where there is no
// such folder.
func hubPlaces(ctx context.Context, folder string) ([]Location, error) {
	var list []Location
	for _, id := range cache.Open(folder).IDs(ctx) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p, err := hubPlace(ctx, folder, id); err == nil {
			list = append(list, p)
		}
	}
	return list, nil
}
