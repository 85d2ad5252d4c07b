package base

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"inglenook/durable"
	"inglenook/regular"
)

// The secrets that are kept.
const (
	secretToken = "hub token"
	secretProxy = "proxy password"
)

// ringPatience is how long the system's keyring may take: it may ask the person to
// unlock it first.
const ringPatience = 45 * time.Second

// ring is the system's keyring: Keychain, Secret Service, Credential Manager.
type ring interface {
	Get(service, account string) (string, error)
	Set(service, account, secret string) error
	Delete(service, account string) error
}

type systemRing struct{}

func (systemRing) Get(service, account string) (string, error) { return keyring.Get(service, account) }

func (systemRing) Set(service, account, secret string) error {
	return keyring.Set(service, account, secret)
}
func (systemRing) Delete(service, account string) error { return keyring.Delete(service, account) }

// vault keeps secrets in the system's keyring, or, where there is none, in a file
// that only this user may read. Another config folder has its own secrets.
type vault struct {
	Ring   ring
	File   string
	suffix string // of the accounts

	mu    sync.Mutex
	known map[string]secret // what has been looked up
}

// secret is one of them and where it is kept.
type secret struct {
	Value string
	Where string // a sentence's end: "in the system's keyring"; empty: there is none
}

func newVault(p Paths) *vault {
	return &vault{Ring: systemRing{}, File: filepath.Join(p.Config, "secrets.json"), suffix: " of " + p.Config, known: map[string]secret{}}
}

const (
	inRing = "in the system's keyring"
	inFile = "in a file that only you may read, because this system has no keyring that answers"
)

// Get returns a secret; nothing where there is none.
func (v *vault) Get(ctx context.Context, name string) secret {
	v.mu.Lock()
	defer v.mu.Unlock()
	if s, ok := v.known[name]; ok {
		return s
	}
	s := secret{}
	if value := v.InFile()[name]; value != "" {
		s = secret{value, inFile}
	} else if value, err := patiently(ctx, func() (string, error) { return v.Ring.Get(folderName, name+v.suffix) }); err == nil && value != "" {
		s = secret{value, inRing}
	} else if err != nil && !errors.Is(err, keyring.ErrNotFound) && ctx.Err() != nil {
		return s // asked again the next time
	}
	v.known[name] = s
	return s
}

// forget has a secret looked up anew the next time.
func (v *vault) forget(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.known, name)
}

// set keeps a secret, or takes it away where it is empty, and says where it went.
func (v *vault) set(ctx context.Context, name, value string) (secret, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.known, name)
	_, err := patiently(ctx, func() (string, error) {
		if value == "" {
			return "", v.Ring.Delete(folderName, name+v.suffix)
		}
		return "", v.Ring.Set(folderName, name+v.suffix, value)
	})
	inKeyring := err == nil && value != ""
	kept := v.InFile()
	have := kept[name]
	delete(kept, name)
	s := secret{value, inRing}
	if value == "" {
		s = secret{}
	} else if !inKeyring {
		kept[name], s.Where = value, inFile
	}
	if have != kept[name] {
		if err := v.write(kept); err != nil {
			return secret{}, fmt.Errorf("the %s could not be kept in %s: %w", name, ShortPath(v.File), PlainError(err))
		}
	}
	v.known[name] = s
	return s, nil
}

// write keeps the file of secrets. One without any is removed.
func (v *vault) write(kept map[string]string) error {
	if len(kept) == 0 {
		if err := os.Remove(v.File); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	return durable.Write(v.File, append(data, '\n'), 0o600)
}

// InFile reads the file of secrets; a damaged one holds none.
func (v *vault) InFile() map[string]string {
	kept := map[string]string{}
	data, err := regular.ReadFile(context.Background(), v.File, 1<<16)
	if err != nil || json.Unmarshal(data, &kept) != nil || kept == nil {
		return map[string]string{}
	}
	return kept
}

// patiently waits for a keyring, which may wait for a person, and for a while only.
func patiently(ctx context.Context, ask func() (string, error)) (string, error) {
	type answer struct {
		value string
		err   error
	}
	got := make(chan answer, 1)
	go func() {
		value, err := ask()
		got <- answer{value, err}
	}()
	late := time.NewTimer(ringPatience)
	defer late.Stop()
	select {
	case a := <-got:
		return a.value, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	case <-late.C:
		return "", fmt.Errorf("the keyring does not answer: %w", fs.ErrInvalid)
	}
}
