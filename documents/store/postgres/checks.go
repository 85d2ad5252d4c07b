package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"inglenook/documents/store"
	"inglenook/documents/store/checks"
)

// checksKey is the key of a setting of a collection: what checks of searches by its index
// found, of all who search it.
const checksKey = "checks"

// checked is the value of that setting.
type checked struct {
	Set  int64  `json:"set"`
	Last []bool `json:"last"` // whether a search found what comparing all did
}

// checksOfServing returns what the checks of the set that serves searches found.
func (c *Collection) checksOfServing(ctx context.Context) (of store.Checks, err error) {
	var value []byte
	var set int64
	err = c.store.pool.QueryRow(ctx, `SELECT s.id, k.value FROM sets s JOIN settings k ON k.collection = s.collection
		WHERE s.collection = $1 AND s.serving AND k.key = $2`, c.id, checksKey).Scan(&set, &value)
	if errors.Is(err, pgx.ErrNoRows) {
		return of, nil
	}
	of.Checked, of.Same = checks.Count(lastOf(value, set))
	return of, err
}

// lastOf reads the checks of a set, none if they were of another one.
func lastOf(value []byte, set int64) []bool {
	var kept checked
	if json.Unmarshal(value, &kept) != nil || kept.Set != set {
		return nil
	}
	return kept.Last
}

// checkLater has a search by the index done again by comparing all, unless this user may
// not keep what comes out.
func (c *Collection) checkLater(s searchedSet, v []float32, condition string, args []any) {
	if c.store.readOnly {
		return
	}
	v = slices.Clone(v)
	c.store.checks.Do(func(ctx context.Context) error {
		same, err := c.same(ctx, s, v, condition, args)
		if err != nil {
			return err
		}
		return c.changeSetting(ctx, checksKey, func(value []byte) ([]byte, error) {
			return json.Marshal(checked{s.id, checks.Add(lastOf(value, s.id), same)})
		})
	})
}

// same reports whether a search by the index finds what comparing all finds.
func (c *Collection) same(ctx context.Context, s searchedSet, v []float32, condition string, args []any) (bool, error) {
	all, err := c.exactly(ctx, s, v, checks.Rows, condition, args)
	if err != nil {
		return false, err
	}
	found, err := c.byIndex(ctx, s, v, checks.Rows, condition, args)
	if err != nil {
		return false, err
	}
	return checks.Same(found, all, func(h store.Hit) float64 { return h.Score }), nil
}
