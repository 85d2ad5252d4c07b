package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// showsText matches what hands text to Fyne. It may be a name of any length from outside, so
// only the widgets of ui/kit do, which cut it, and the files of mayShowText.
var showsText = regexp.MustCompile(`canvas\.NewText\(|canvas\.Text\{|widget\.New(Label|Button|RichText|Entry|MultiLineEntry|Select|Check|Hyperlink)\w*\(|\.Segment\.Text = |\.Options = `)

// mayShowText are the files outside ui/kit that hand text to Fyne, each with how that text is bounded.
var mayShowText = map[string]string{
	"ui/chat/fonts.go":          "one character",
	"ui/chat/text.go":           "cut by plain.Text",
	"ui/chart/lineplot.go":      "cut by kit.Brief",
	"ui/chart/plothover.go":     "cut by kit.Brief",
	"ui/chart/pointmap_draw.go": "cut by kit.Ellipsize",
	"ui/prose/pool.go":          "words of a line, as wide as the window",
}

// TestShownTexts finds code that hands text to Fyne past the widgets that cut it.
func TestShownTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, path := range sources(t, "ui") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if found := showsText.Find(data); found != nil && !strings.HasPrefix(path, "ui/kit/") {
			if seen[path] = true; mayShowText[path] == "" {
				t.Errorf("%s hands text to Fyne by %s: use a widget of ui/kit, which cuts it", path, found)
			}
		}
	}
	for path := range mayShowText {
		if !seen[path] {
			t.Errorf("%s hands no text to Fyne: take it off the list", path)
		}
	}
}
