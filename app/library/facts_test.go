package library

import (
	"strings"
	"testing"
)

func TestLicenceOfReadme(t *testing.T) {
	for text, want := range map[string]string{
		"---\nlanguage: en\nlicense: apache-2.0\ntags:\n- x\n---\n# Title": "apache-2.0",
		"\ufeff---\r\nlicense: 'mit'\r\n---\r\n":                           "mit",
		"---\nlicense: other\nlicense_name: qwen-research\n---\n":          "qwen-research",
		"---\nlicense: other\n---\n":                                       "other",
		"# Title\nlicense: mit\n":                                          "",
		"---\ntags: x\n---\nlicense: mit":                                  "",
		"---\nlicense:\n- mit\n---\n":                                      "",
		"---\nlicense: " + strings.Repeat("x", 200) + "\n---\n":            "",
		"---\nlicense: mit":                                                "mit",
		"":                                                                 "",
	} {
		if got := frontMatterLicence(strings.NewReader(text)); got != want {
			t.Errorf("%q is under %q, want %q", text, got, want)
		}
	}
}

func FuzzFrontMatterLicence(f *testing.F) {
	f.Add("---\nlicense: mit\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		if got := frontMatterLicence(strings.NewReader(text)); len(got) > 100 || strings.ContainsAny(got, "\n\x00") {
			t.Errorf("%q gives %q", text, got)
		}
	})
}
