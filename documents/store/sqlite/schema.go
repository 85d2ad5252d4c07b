package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

// migrations make the schema. Migration i leads from version i to i+1; they are
// never changed, only added to. A copy of the database is made before one runs
// on what an older program wrote.
var migrations = []string{first, pageBreaks}

//go:embed schema/1.sql
var first string

//go:embed schema/2.sql
var pageBreaks string

var errMigration = errors.New("the index could not be brought up to date")

// version returns the version of the schema of a database.
func version(ctx context.Context, db *sql.DB) (v int, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v, err
}

// migrate brings the schema from version v to the newest, each step in a
// transaction of its own.
func migrate(ctx context.Context, db *sql.DB, v int) error {
	for ; v < len(migrations); v++ {
		err := inTx(ctx, db, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, migrations[v]+fmt.Sprintf("; PRAGMA user_version = %d", v+1))
			return err
		})
		if err != nil {
			if v == 0 {
				return err // it says that it is empty, and is not
			}
			return fmt.Errorf("%w from version %d: %w", errMigration, v, err)
		}
	}
	return nil
}

// inTx runs do in a transaction. When ctx ends, the transaction is rolled back at
// any moment, and the error is that of ctx.
func inTx(ctx context.Context, db *sql.DB, do func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err = do(tx); err == nil {
		err = tx.Commit()
	}
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
