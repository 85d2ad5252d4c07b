package kit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/plain"
)

// hostileNames are names as a file of a stranger may hold them.
var hostileNames = map[string]string{
	"long":     strings.Repeat("A", 200_000),
	"words":    strings.Repeat("a word ", 50_000),
	"accents":  "e" + strings.Repeat("\u0301", 100_000),
	"reversed": "model\u202efdp.exe" + strings.Repeat("\u2066", 1000),
	"controls": "\x1b[2J\x07\u009b" + strings.Repeat("\x00", 1000),
	"broken":   strings.Repeat("\xff\xfe", 10_000),
	"lines":    strings.Repeat("a\nb\r\n\u2028", 10_000),
	"rare":     rare(1200),
}

// drawnTexts are the texts that an object hands to what lays out and draws letters.
func drawnTexts(o fyne.CanvasObject) []string {
	switch o := o.(type) {
	case *canvas.Text:
		return []string{o.Text}
	case *fyne.Container:
		var all []string
		for _, one := range o.Objects {
			all = append(all, drawnTexts(one)...)
		}
		return all
	case *widget.RichText:
		return []string{o.String()} // wraps all of it, also what is out of sight
	case fyne.Widget:
		var all []string
		for _, one := range test.WidgetRenderer(o).Objects() {
			all = append(all, drawnTexts(one)...)
		}
		return all
	}
	return nil
}

// TestHostileNames puts names of any length and content into every widget that shows
// text: what is laid out of them is short, and has no character that hides.
func TestHostileNames(t *testing.T) {
	k := &Keyboard{}
	widgets := map[string]func(name string) fyne.CanvasObject{
		"line":       func(n string) fyne.CanvasObject { return NewLine(n, TextBody, theme.ColorNameForeground) },
		"whole line": func(n string) fyne.CanvasObject { return NewTitleWhole(n) },
		"line later": func(n string) fyne.CanvasObject { l := NewCaption(""); l.Whole = true; l.Set(n); return l },
		"paragraph":  func(n string) fyne.CanvasObject { return NewParagraph(n, ColorMuted).Flat },
		"paragraph later": func(n string) fyne.CanvasObject {
			p := NewParagraph("", ColorMuted).Small()
			p.Set(n)
			return p.Flat
		},
		"button":      func(n string) fyne.CanvasObject { b := NewButton(k, n, nil, nil); b.SetText(n); return b },
		"text button": func(n string) fyne.CanvasObject { b := NewTextButton(k, n, nil); b.Set(n); return b },
		"check":       func(n string) fyne.CanvasObject { return NewCheck(k, n, nil) },
		"choice": func(n string) fyne.CanvasObject {
			c := NewChoice(k, []string{n}, nil)
			c.Offer([]string{n}, 0)
			return c
		},
		"segments": func(n string) fyne.CanvasObject {
			s := NewSegments(k, []string{n, n}, nil)
			s.Rename(1, "b"+n)
			return s
		},
		"snippet": func(n string) fyne.CanvasObject {
			s := NewSnippet()
			s.Set(n+n+n, [2]int{len(n), 2 * len(n)})
			return s
		},
		"error":   func(n string) fyne.CanvasObject { w := NewNotice(k); w.Fail(Sentence(n)); return w.View },
		"notice":  func(n string) fyne.CanvasObject { w := NewNotice(k); w.Say(n, n, func() {}); return w.View },
		"hint":    func(n string) fyne.CanvasObject { h := NewHint(theme.InfoIcon()); h.Say(n, n); return h.View },
		"section": func(n string) fyne.CanvasObject { return Section(n, n, NewCaption(n)) },
		"pool": func(n string) fyne.CanvasObject {
			p := &TextPool{}
			return p.Next(n, TextSmall, fyne.TextStyle{}, Themed(ColorMuted))
		},
	}
	withoutFonts(t)
	app := test.NewTempApp(t)
	app.Settings().SetTheme(NewTheme(ThemeLight))
	for what, build := range widgets {
		for kind, name := range hostileNames {
			o := build(name)
			window := app.NewWindow("")
			if kind == "long" || !strings.HasPrefix(what, "paragraph") && what != "hint" { // a second each
				window.SetContent(container.NewStack(o))
				window.Resize(fyne.NewSize(400, 300))
			}
			most := lineRunes
			switch what {
			case "paragraph", "paragraph later", "hint":
				most = paragraphRunes + paragraphRunes/brokenRunes + 1
			case "error", "notice":
				most = sentenceRunes + 1
			}
			all := drawnTexts(o)
			if len(all) == 0 {
				t.Fatalf("%s: nothing is drawn", what)
			}
			for _, text := range all {
				for line := range strings.Lines(text) {
					if n := utf8.RuneCountInString(line); n > brokenRunes+1 {
						t.Errorf("%s, %s: a line of %d characters is wrapped", what, kind, n)
					}
				}
				if n := utf8.RuneCountInString(text); n > most {
					t.Errorf("%s, %s: %d characters are laid out, want at most %d", what, kind, n, most)
				}
				if strings.ContainsFunc(text, func(r rune) bool { return plain.Drives(r) && r != '\n' }) || !utf8.ValidString(text) {
					t.Errorf("%s, %s: drawn is %.80q", what, kind, text)
				}
			}
			window.Close()
		}
	}
	for kind, name := range hostileNames {
		if n := utf8.RuneCountInString(Ellipsize(name, 100_000, TextBody, fyne.TextStyle{})); n > lineRunes {
			t.Errorf("%s: an ellipsized text has %d characters", kind, n)
		}
	}
}
