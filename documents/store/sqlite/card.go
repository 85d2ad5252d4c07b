package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"inglenook/documents/store"
	"inglenook/durable"
	"inglenook/regular"
)

// A card is what is known of a collection apart from its index, in a small file
// that survives when the index does not.
type card struct {
	Name     string            `json:"name"`
	Created  time.Time         `json:"created"`
	Settings map[string][]byte `json:"settings,omitempty"`
}

const cardName = "collection.json"

func readCard(dir string) (c card, err error) {
	data, err := regular.ReadFile(context.Background(), filepath.Join(dir, cardName), 1<<20)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(data, &c); err != nil || c.Name == "" {
		return c, fmt.Errorf("%s is not what was written: %w", cardName, err)
	}
	return c, nil
}

func (c card) write(dir string) error {
	data, err := json.MarshalIndent(c, "", "\t")
	if err != nil {
		return err
	}
	return durable.Write(filepath.Join(dir, cardName), data, 0o600)
}

// Name implements store.Collection.
func (c *Collection) Name() string {
	c.cardMu.Lock()
	defer c.cardMu.Unlock()
	return c.card.Name
}

// Rename implements store.Collection.
func (c *Collection) Rename(_ context.Context, name string) error {
	if c.store.readOnly {
		return store.ErrReadOnly
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	name, err := c.store.freeName(name, c.id)
	if err != nil {
		return err
	}
	return c.changeCard(func(to *card) error { to.Name = name; return nil })
}

// Setting implements store.Collection.
func (c *Collection) Setting(key string) []byte {
	c.cardMu.Lock()
	defer c.cardMu.Unlock()
	return c.card.Settings[key]
}

// SetSetting implements store.Collection.
func (c *Collection) SetSetting(key string, value []byte) error {
	if c.store.readOnly {
		return store.ErrReadOnly
	}
	return c.changeCard(func(to *card) error { to.Settings[key] = value; return nil })
}

// ChangeSetting implements store.Collection.
func (c *Collection) ChangeSetting(key string, change func(value []byte) ([]byte, error)) error {
	if c.store.readOnly {
		return store.ErrReadOnly
	}
	return c.changeCard(func(to *card) (err error) {
		to.Settings[key], err = change(to.Settings[key])
		return err
	})
}

// changeCard changes the card on the disk and then here.
func (c *Collection) changeCard(change func(*card) error) error {
	c.cardMu.Lock()
	defer c.cardMu.Unlock()
	next := c.card
	next.Settings = map[string][]byte{}
	maps.Copy(next.Settings, c.card.Settings)
	if err := change(&next); err != nil {
		return err
	}
	if err := next.write(c.dir); err != nil {
		return err
	}
	c.card = next
	return nil
}
