package hub

import (
	"context"

	"inglenook/hub/cache"
)

// Repair fetches the damaged files of an installed revision again: only the changed parts if
// they are known, otherwise whole files. It does not touch intact files.
func (c *Client) Repair(ctx context.Context, into *cache.Cache, id, revision string, report func(Progress)) (Result, error) {
	checks, err := into.Verify(ctx, id, revision, nil)
	if err != nil {
		return Result{}, err
	}
	s, err := cache.OpenStore(into.Dir(), id, true)
	if err != nil {
		return Result{}, err
	}
	r, err := s.Revision(revision)
	if err != nil {
		s.Close()
		return Result{}, err
	}
	j := cache.Job{Schema: cache.JobSchema, ID: id, Revision: r.Name(), Commit: r.Commit}
	for i, check := range checks {
		f := r.Files[i].Listed()
		if check.OK {
			continue
		}
		if r.Files[i].FromHub.Path == "" { // downloaded by another program, which did not keep the listing
			if f, _, err = c.Head(ctx, id, r.Commit, f.Path); err != nil {
				s.Close()
				return Result{}, err
			}
		}
		if err := s.SetAside(f, check); err != nil {
			s.Close()
			return Result{}, err
		}
		j.Files = append(j.Files, f)
	}
	s.Close()
	if len(j.Files) == 0 {
		return Result{ID: id, Revision: j.Revision, Commit: r.Commit, Path: r.Path}, nil
	}
	return c.runJob(ctx, into, j, 0, report)
}
