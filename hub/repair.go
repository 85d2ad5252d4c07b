package hub

import "context"

// Repair fetches the damaged files of an installed revision again: only the changed parts if
// they are known, otherwise whole files. It does not touch intact files.
func (c *Client) Repair(ctx context.Context, cache *Cache, id, revision string, report func(Progress)) (Result, error) {
	checks, err := cache.Verify(ctx, id, revision, nil)
	if err != nil {
		return Result{}, err
	}
	s, err := openStore(cache.Dir(), id, true)
	if err != nil {
		return Result{}, err
	}
	r, err := s.revision(revision)
	if err != nil {
		s.close()
		return Result{}, err
	}
	j := job{Schema: jobSchema, ID: id, Revision: r.name(), Commit: r.Commit}
	for i, check := range checks {
		f := r.Files[i].file()
		if check.OK {
			continue
		}
		if r.Files[i].listed.Path == "" { // downloaded by another program, which did not keep the listing
			if f, _, err = c.Head(ctx, id, r.Commit, f.Path); err != nil {
				s.close()
				return Result{}, err
			}
		}
		if err := s.setAside(f, check); err != nil {
			s.close()
			return Result{}, err
		}
		j.Files = append(j.Files, f)
	}
	s.close()
	if len(j.Files) == 0 {
		return Result{ID: id, Revision: j.Revision, Commit: r.Commit, Path: r.Path}, nil
	}
	return c.runJob(ctx, cache, j, 0, report)
}
