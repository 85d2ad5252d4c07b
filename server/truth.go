package server

import (
	"crypto/rand"
	"strconv"
	"time"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
)

// The headers that tell which device ran, and how many operations ran on another one.
const (
	headerDevice    = "X-Inglenook-Device"
	headerFallbacks = "X-Inglenook-Fallbacks"
)

// truth is what an answer tells of the device that made it, in its field "inglenook".
type truth struct {
	Device    string     `json:"device"`
	Fallbacks []fallback `json:"fallbacks"`
	Notes     []string   `json:"notes,omitempty"` // sentences that belong beside the result
	Ended     string     `json:"ended,omitempty"` // why an answer ended, in our words
	Seed      uint64     `json:"seed,omitempty"`  // gives the same answer again
}

type fallback struct {
	Op     string `json:"op"` // "all" where a device was given up
	Reason string `json:"reason"`
}

// truthOf sums up what ran where; notices are about devices that failed.
func truthOf(device string, list []devices.Fallback, notices, notes []string) truth {
	t := truth{Device: device, Fallbacks: []fallback{}, Notes: notes}
	for _, f := range list {
		t.Fallbacks = append(t.Fallbacks, fallback{f.Op.String(), f.Reason})
	}
	for _, n := range notices {
		t.Fallbacks = append(t.Fallbacks, fallback{"all", n})
	}
	return t
}

// with adds a note, unless it is empty.
func (t truth) with(note string) truth {
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
	return t
}

// tell puts the truth into the headers, as long as they are not sent.
func (c *call) tell(t truth) {
	c.note.Device = t.Device
	if c.began {
		return
	}
	c.w.Header().Set(headerDevice, t.Device)
	c.w.Header().Set(headerFallbacks, strconv.Itoa(len(t.Fallbacks)))
}

// header is how every answer of OpenAI's form begins.
type header struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"` // seconds since 1970
	Model   string `json:"model"`
	Build   string `json:"system_fingerprint,omitempty"` // of the program that answered
}

// build names this version of the program, as system_fingerprint.
func build() string { return "build-" + base.Version().Version }

// newID returns a name that no other answer has.
func newID(prefix string) string { return prefix + rand.Text() }

// timings say how fast an answer was made, in llama.cpp's form. Times are in milliseconds.
type timings struct {
	Cached     int     `json:"cache_n"` // tokens of the prompt that were read before
	Prompt     int     `json:"prompt_n"`
	PromptMS   float64 `json:"prompt_ms"`
	PromptRate float64 `json:"prompt_per_second"`
	Tokens     int     `json:"predicted_n"`
	TokenMS    float64 `json:"predicted_ms"`
	TokenRate  float64 `json:"predicted_per_second"`
}

func timingsOf(a chat.Answer) timings {
	rate := func(n int, took time.Duration) float64 {
		if took <= 0 {
			return 0
		}
		return float64(n) / took.Seconds()
	}
	s, f := a.Started, a.Finished
	read := s.PromptTokens - s.Reused
	return timings{
		Cached: s.Reused, Prompt: read, PromptMS: s.Took.Seconds() * 1000, PromptRate: rate(read, s.Took),
		Tokens: f.Tokens, TokenMS: f.Took.Seconds() * 1000, TokenRate: rate(f.Tokens, f.Took),
	}
}
