package remote

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// TestEchoedToken: a server that writes the token into any of its words has it hidden in every
// sentence, also where a long one is cut.
func TestEchoedToken(t *testing.T) {
	token := "sk-" + strings.Repeat("SECRET0123456789", 6)
	quoted := fmt.Sprintf("%q", token)
	for name, send := range map[string]func(w http.ResponseWriter, r *http.Request){
		"why it ended":    sends(word("One") + ends(token)),
		"a tool's name":   sends(word("One") + event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":`+quoted+`,"arguments":"{}"}}]}}]}`) + ends("tool_calls")),
		"a tool alone":    sends(event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":`+quoted+`,"arguments":"{}"}}]}}]}`) + ends("tool_calls")),
		"an error":        sends(word("One") + event(`{"error":{"message":`+quoted+`}}`)),
		"an error's type": sends(event(`{"error":{"type":` + quoted + `}}`)),
		"nonsense":        sends(event("xx" + token + token + token)),
		"a text":          func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat(" "+token, 2000)) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://localhost/"+token, http.StatusFound)
		},
		"the limit": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", token)
			remotetest.Error(w, http.StatusBadRequest, strings.Repeat("y", 180)+token)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := remotetest.New(t)
			d.Token = token
			d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool { send(w, r); return true }
			s := serve(t, OpenAI, d)
			var told []string
			for got, err := range pipeline.Answer(t.Context(), s.OpenWriter(Model{ID: "talker"}, 0), []pipeline.Message{pipeline.TextMessage("user", "hi")}, pipeline.ReplyOptions{Tools: []pipeline.Tool{{Name: "look"}}}) {
				if err != nil {
					told = append(told, err.Error())
				}
				told = append(told, got.Notice)
				if got.Finished != nil {
					told = append(told, got.Finished.Notices...)
				}
			}
			said := strings.Join(told, "\n")
			if strings.TrimSpace(said) == "" || strings.Contains(said, "SECRET") {
				t.Errorf("told: %q", said)
			}
		})
	}
	d := remotetest.New(t)
	d.Token, d.Models, d.Program = token, []string{"good", token, "x/" + token}, token
	found, err := Recognise(t.Context(), address(t, d.URL), Options{Token: token})
	if err != nil || len(found.Models) != 1 || strings.Contains(fmt.Sprint(found), "SECRET") {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestTokenInOtherForms: a token that a server sends back escaped, in hexadecimal, or in base64 alone
// and within other text is hidden too.
func TestTokenInOtherForms(t *testing.T) {
	token := "sk-proj/SECRET+0123456789=?\"\\"
	c, err := newClient(address(t, "http://localhost:1"), Options{Token: token}, usualTuning())
	if err != nil {
		t.Fatal(err)
	}
	said := []string{url.QueryEscape(token), url.PathEscape(token), fmt.Sprintf("%x", token), fmt.Sprintf("%X", token), fmt.Sprintf("%q", token)}
	for _, before := range []string{"", "u", "us", "user:", "Bearer "} {
		for _, after := range []string{"", "x", "xy"} {
			for _, coding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
				said = append(said, coding.EncodeToString([]byte(before+token+after)))
			}
		}
	}
	for _, text := range said {
		left := strings.ReplaceAll(c.redact("the key "+text+" is wrong"), hidden, "")
		if n := len(strings.TrimSuffix(strings.TrimPrefix(left, "the key "), " is wrong")); n > 14 {
			t.Errorf("%q: %q is left", text, left)
		}
	}
	if got := c.redact("nothing of it"); got != "nothing of it" {
		t.Errorf("%q", got)
	}
}
