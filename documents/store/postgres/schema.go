package postgres

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// migrations make the schema. Migration i leads from version i to i+1; they are
// never changed, only added to.
var migrations = []string{first, second}

//go:embed schema/1.sql
var first string

//go:embed schema/2.sql
var second string

// usable is the oldest version that needs no migration to be searched and written: users
// who do not own the tables go on with it until one who does opens the database.
const usable = 1

// Errors of opening a database, which callers tell apart.
var (
	ErrNewer     = errors.New("the database was set up by a newer Inglenook; update this one")
	ErrExtension = errors.New("the database has no extension for vectors; have its administrator install pgvector and run CREATE EXTENSION vector")
	ErrNoRight   = errors.New("this user has no right to the collections in the database; have its administrator grant the rights that docs/STORE.md lists")
	ErrNotSetUp  = errors.New("the database holds no collections yet, and this user may not make any; have a user who may create schemas open it once")
)

// schemaLock is the key of the lock under which one process sets up the database.
const schemaLock = 0x1216_1e6e_0025

// version returns the version of the schema, 0 if there is none.
func version(ctx context.Context, q querier) (v int, err error) {
	var exists bool
	// Asked of the catalogue itself: to_regclass may not see yet what another process has just made.
	if err := q.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'inglenook' AND c.relname = 'version')").Scan(&exists); err != nil || !exists {
		return 0, err
	}
	err = q.QueryRow(ctx, "SELECT version FROM inglenook.version").Scan(&v)
	return v, err
}

// version returns the version of the schema, 0 if there is none, and ErrNewer if this program
// does not know it.
func (s *Store) version(ctx context.Context) (int, error) {
	v, err := version(ctx, s.pool)
	if err == nil && v > len(migrations) {
		err = ErrNewer
	}
	return v, err
}

// prepare brings a schema that is there to the newest version. Where there is none it only
// sees whether one could be made: the first collection makes it.
func (s *Store) prepare(ctx context.Context) error {
	v, err := s.version(ctx)
	switch {
	case err != nil:
		return err
	case v == 0:
		return s.couldBegin(ctx)
	case v < len(migrations):
		owner, err := s.owns(ctx)
		if err != nil {
			return err
		}
		if owner || v < usable {
			return s.migrate(ctx)
		}
	}
	s.made.Store(true)
	return nil
}

// couldBegin sees whether this user may make the schema here.
func (s *Store) couldBegin(ctx context.Context) error {
	var available, may bool
	err := s.pool.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector'), "+mayCreate).Scan(&available, &may)
	switch {
	case err != nil:
		return err
	case !may:
		return ErrNotSetUp
	case !available:
		return ErrExtension
	}
	return nil
}

// mayCreate asks whether this user may make schemas.
const mayCreate = "has_database_privilege(current_database(), 'CREATE') AND NOT current_setting('transaction_read_only')::boolean"

// isMade reports whether the schema is there by now. Another process may have made it.
func (s *Store) isMade(ctx context.Context) (bool, error) {
	if s.made.Load() {
		return true, nil
	}
	v, err := s.version(ctx)
	if err != nil || v == 0 {
		return false, err
	}
	s.made.Store(true)
	return true, nil
}

// migrate brings the schema to the newest version in one transaction, from none as well.
func (s *Store) migrate(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(schemaLock)); err != nil {
			return err
		}
		v, err := version(ctx, tx) // another process may have been faster
		if err != nil {
			return err
		}
		if v == 0 {
			if err := begin(ctx, tx); err != nil {
				return err
			}
		}
		for ; v < len(migrations); v++ {
			if _, err := tx.Exec(ctx, migrations[v]); err != nil {
				return fmt.Errorf("schema %d: %w", v+1, err)
			}
			if _, err := tx.Exec(ctx, "UPDATE version SET version = $1", v+1); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.made.Store(true)
	}
	return err
}

// owns reports whether the user may change the tables and their indexes.
func (s *Store) owns(ctx context.Context) (owns bool, err error) {
	err = s.pool.QueryRow(ctx, "SELECT pg_has_role(c.relowner, 'USAGE') AND NOT current_setting('transaction_read_only')::boolean FROM pg_class c WHERE c.oid = 'inglenook.vectors'::regclass").Scan(&owns)
	return owns, err
}

// begin makes what the migrations stand on.
func begin(ctx context.Context, tx pgx.Tx) error {
	var there, may bool
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'vector'), "+mayCreate).Scan(&there, &may)
	switch {
	case err != nil:
		return err
	case !may:
		return ErrNotSetUp
	case !there:
		if _, err := tx.Exec(ctx, "CREATE EXTENSION vector"); err != nil {
			return errors.Join(ErrExtension, err)
		}
	}
	_, err = tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS inglenook; CREATE TABLE inglenook.version (version int NOT NULL); INSERT INTO inglenook.version VALUES (0)")
	return err
}
