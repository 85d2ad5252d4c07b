package base

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"inglenook/durable"
	"inglenook/regular"
)

// versioned is a JSON file of ours with a schema number. Reading brings an
// older schema up to date (after a copy of the file), sets a damaged file
// aside, and leaves one from a newer version of the program as a copy.
type versioned struct {
	path string
	// upgrades[i] turns schema i+1 into schema i+2; the current schema is one
	// more than their number.
	upgrades []func(fields map[string]json.RawMessage) error
}

// maxOwnFile bounds a file of ours: it is kept in memory.
const maxOwnFile = 64 << 20

func (v versioned) schema() int { return len(v.upgrades) + 1 }

// read fills into from the file; a missing file leaves it as it is. The note
// is a sentence for the person where something had to be done, and err says
// that the file could not be read at all.
func (v versioned) read(into any) (note string, err error) {
	data, err := regular.ReadFile(context.Background(), v.path, maxOwnFile)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // there is no such folder either
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var fields map[string]json.RawMessage
	var schema int
	if json.Unmarshal(data, &fields) != nil || json.Unmarshal(fields["schema"], &schema) != nil || schema < 1 {
		return v.setAside("damaged", "is damaged")
	}
	if schema > v.schema() {
		note, err = v.setAside(fmt.Sprintf("schema%d", schema), "was written by a newer version of Inglenook")
		if err != nil {
			return note, err
		}
	}
	if schema < v.schema() {
		if data, err = v.upgrade(schema, fields); err != nil {
			return note, err
		}
		note = fmt.Sprintf("%s was upgraded; a copy of the old one is beside it.", v.name())
	}
	if json.Unmarshal(data, into) != nil {
		if schema > v.schema() {
			return note, nil
		}
		return v.setAside("damaged", "is damaged")
	}
	return note, nil
}

func (v versioned) upgrade(schema int, fields map[string]json.RawMessage) ([]byte, error) {
	if _, err := copyAside(v.path, fmt.Sprintf("schema%d", schema)); err != nil {
		return nil, fmt.Errorf("no copy before the upgrade: %w", err)
	}
	for ; schema < v.schema(); schema++ {
		if err := v.upgrades[schema-1](fields); err != nil {
			return nil, fmt.Errorf("upgrade from schema %d: %w", schema, err)
		}
	}
	return json.Marshal(fields)
}

func (v versioned) setAside(label, what string) (string, error) {
	kept, err := copyAside(v.path, label)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s. Inglenook starts with what it could read, and a copy is kept as %s.", v.name(), what, filepath.Base(kept)), nil
}

func (v versioned) name() string { return ShortPath(v.path) }

// write replaces the file by value, a struct, under the current schema.
func (v versioned) write(value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	if fields["schema"], err = json.Marshal(v.schema()); err != nil {
		return err
	}
	if data, err = json.MarshalIndent(fields, "", "  "); err != nil {
		return err
	}
	return durable.Write(v.path, append(data, '\n'), 0o600)
}
