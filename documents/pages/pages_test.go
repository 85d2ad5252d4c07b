package pages

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"inglenook/documents/extract/format"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pdf writes a file with one page of a width and a height, half of it black.
func pdf(t *testing.T, width, height int) string {
	t.Helper()
	content := fmt.Sprintf("0 0 0 rg 0 0 %d %d re f", width, height/2)
	data := fmt.Sprintf("%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"+
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R >>\nendobj\n4 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%%%EOF\n",
		width, height, len(content), content)
	path := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func needPoppler(t *testing.T) {
	t.Helper()
	if !Available() {
		t.Skip("pdftoppm of poppler is not installed")
	}
}

func TestRender(t *testing.T) {
	needPoppler(t)
	picture, err := Render(t.Context(), pdf(t, 300, 600), 1, 200, "")
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size != image.Pt(100, 200) {
		t.Errorf("the picture has %v", size)
	}
	top, _, _, _ := picture.At(50, 20).RGBA()
	bottom, _, _, _ := picture.At(50, 180).RGBA()
	if top != 0xffff || bottom != 0 {
		t.Errorf("the upper half is %x, the lower one %x", top, bottom)
	}
	picture, err = Render(t.Context(), pdf(t, 1_000_000, 10_000), 1, 100, "")
	if err != nil || picture.Bounds().Dx() > 101 {
		t.Errorf("a page of a mile: %v, %v", picture, err)
	}
}

// TestRenderFails: pages that cannot be drawn are errors.
func TestRenderFails(t *testing.T) {
	needPoppler(t)
	good, dir := pdf(t, 100, 100), t.TempDir()
	text := filepath.Join(dir, "-text.pdf")
	if err := os.WriteFile(text, []byte("This is plain text."), 0o600); err != nil {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	reason := func(r format.Reason) func(error) bool {
		return func(err error) bool { got, _ := format.ReasonOf(err); return got == r }
	}
	isPlain := func(err error) bool { _, typed := format.ReasonOf(err); return err != nil && !typed }
	for name, c := range map[string]struct {
		ctx      context.Context
		path     string
		page     int
		pixels   int
		password string
		want     func(error) bool
	}{
		"text":       {t.Context(), text, 1, 100, "", reason(format.Damaged)},
		"page 2":     {t.Context(), good, 2, 100, "", reason(format.Damaged)},
		"page 0":     {t.Context(), good, 0, 100, "", isPlain},
		"no pixels":  {t.Context(), good, 1, 0, "", isPlain},
		"too large":  {t.Context(), good, 1, 1 << 20, "", isPlain},
		"folder":     {t.Context(), dir, 1, 100, "", reason(format.NotRegular)},
		"device":     {t.Context(), os.DevNull, 1, 100, "", reason(format.NotRegular)},
		"no file":    {t.Context(), filepath.Join(dir, "none"), 1, 100, "", os.IsNotExist},
		"canceled":   {canceled, good, 1, 100, "", func(err error) bool { return errors.Is(err, context.Canceled) }},
		"locked":     {t.Context(), "../extract/testdata/locked-aes-256.pdf", 1, 100, "", reason(format.NeedsPassword)},
		"wrong word": {t.Context(), "../extract/testdata/locked-aes-256.pdf", 1, 100, "x", reason(format.NeedsPassword)},
		"unlocked":   {t.Context(), "../extract/testdata/locked-aes-256.pdf", 1, 100, "öpen", func(err error) bool { return err == nil }},
	} {
		if _, err := Render(c.ctx, c.path, c.page, c.pixels, c.password); !c.want(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNotAvailable: without Poppler there are no pictures.
func TestNotAvailable(t *testing.T) {
	before := program
	defer func() { program = before }()
	program = "no-such-program-as-this"
	if Available() {
		t.Error("it is available")
	}
	if _, err := Render(t.Context(), pdf(t, 100, 100), 1, 100, ""); !errors.Is(err, ErrNotAvailable) {
		t.Error(err)
	}
}

// TestOtherPrograms: programs in the place of pdftoppm that behave in another way are
// errors.
func TestOtherPrograms(t *testing.T) {
	before := program
	defer func() { program = before }()
	dir := t.TempDir()
	for name, script := range map[string]string{
		"nothing": "exit 0", "noise": "echo noise", "fails": "echo bad >&2; exit 1", "endless": "exec cat /dev/zero",
	} {
		program = filepath.Join(dir, name)
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := Render(t.Context(), pdf(t, 100, 100), 1, 100, "")
		if reason, _ := format.ReasonOf(err); reason != format.Damaged {
			t.Errorf("%s: %v", name, err)
		}
		if name == "fails" && !strings.Contains(errors.Unwrap(err).Error(), "bad") {
			t.Errorf("%s: %v", name, errors.Unwrap(err))
		}
	}
}
