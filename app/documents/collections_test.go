package documents_test

import (
	"testing"

	"inglenook/app/documents"
)

// If searches by meaning are not exact, a collection says how good they are, else nothing.
func TestAboutChecks(t *testing.T) {
	if got := (documents.Collection{}).AboutChecks(); got != "" {
		t.Errorf("%q", got)
	}
	c := documents.Collection{Checks: documents.Checks{Checked: 100, Same: 99}}
	if got := c.AboutChecks(); got != "99 of your last 100 searches that were checked found the same ten passages as an exact search." {
		t.Errorf("%q", got)
	}
}
