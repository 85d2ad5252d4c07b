package app

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"inglenook/app/base"
)

// secretStore is the password of the database that keeps the collections.
const secretStore = "password of the documents' database"

// StoreAddress is the database that keeps the collections of the window; "": they lie on
// this computer.
func (a *App) StoreAddress() string { return a.Settings().Documents.Store }

// UseStore keeps and searches the window's collections in a PostgreSQL database from now
// on, "" on this computer again. Nothing is moved. The password is kept apart; "" leaves
// the one that is kept. The answer says where it is, as the end of a sentence.
func (a *App) UseStore(ctx context.Context, address, password string) (where string, err error) {
	ctx, done, err := a.life.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	address = strings.TrimSpace(address)
	if address != "" {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Host == "" {
			return "", errors.New("a database address looks like postgres://USER@HOST/DATABASE")
		}
		if within, ok := u.User.Password(); ok && password == "" {
			password = within
		}
		if u.User != nil {
			u.User = url.User(u.User.Username())
		}
		address = u.String()
		if password == "" && address == a.StoreAddress() {
			password = a.Secret(ctx, secretStore)
		}
		if err := a.papers.TryDatabase(ctx, withPassword(address, password)); err != nil {
			return "", base.InContext(ctx, err)
		}
	}
	if where, err = a.SetSecret(ctx, secretStore, password); err != nil {
		return "", err
	}
	if err := a.SaveSettings(func(s *base.Settings) { s.Documents.Store = address }); err != nil {
		return "", err
	}
	return where, a.papers.SwitchDatabase(ctx, withPassword(address, password))
}

// UseKeptStore does that with what was kept, for a window that starts.
func (a *App) UseKeptStore(ctx context.Context) error {
	address := a.StoreAddress()
	if address == "" {
		return nil
	}
	return a.papers.UseDatabase(withPassword(address, a.Secret(ctx, secretStore)))
}

// withPassword puts a password into an address.
func withPassword(address, password string) string {
	u, err := url.Parse(address)
	if err != nil || password == "" || u.User == nil {
		return address
	}
	u.User = url.UserPassword(u.User.Username(), password)
	return u.String()
}
