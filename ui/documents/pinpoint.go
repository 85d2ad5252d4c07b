package documents

import (
	"context"
	"slices"
	"time"

	"inglenook/app/documents"
)

// mostPinpointed is how many passages are read again for the sentence that answers best.
const mostPinpointed = 8

// pinpointPause is how long a person has not typed when they are read: the next search comes first.
const pinpointPause = 250 * time.Millisecond

// pinpoint finds out which sentence of the passages that are listed answers best, by meaning. Until that
// is known, and where it cannot be, the words alone say so.
func (s *session) pinpoint() {
	if s.like != nil || s.led || s.early || s.of.query == "" || documents.Modes()[s.of.mode] == documents.ModeKeyword {
		return
	}
	var some []documents.Result
	ofFile := 0
	for _, h := range s.found {
		if ofFile++; h.first {
			ofFile = 1
		}
		if ofFile <= shownOfFile+1 && len(some) < mostPinpointed && !slices.Contains(documents.TableFormats, h.file.File.Format) {
			some = append(some, h.result)
		}
	}
	if len(some) == 0 {
		return
	}
	if s.pointing != nil {
		s.pointing()
	}
	ctx, end := context.WithCancel(s.Life)
	s.pointing = end
	number, query := s.number, s.of.query
	s.Work(func(context.Context) {
		defer end()
		select {
		case <-time.After(pinpointPause):
		case <-ctx.Done():
			return
		}
		pointed, err := s.library.Pinpoint(ctx, query, some)
		if ctx.Err() != nil {
			return
		}
		if err != nil { // the words alone have chosen
			s.App.Log().Info("the best sentences are those by words", "error", err)
		}
		s.Do(func() {
			if number == s.number {
				s.point(pointed)
			}
		})
	})
}

// point shows which sentence of passages answers best.
func (s *session) point(pointed []documents.Result) {
	for _, r := range pointed {
		for i := range s.found {
			if s.found[i].result.ID == r.ID && s.found[i].result.Collection == r.Collection {
				at := &s.found[i].result
				at.Best, at.Pinpointed, at.Page, at.Breaks = r.Best, r.Pinpointed, r.Page, r.Breaks
			}
		}
	}
	s.listOnce()
	s.changed(finds)
}

// listOnce lists a sentence once where two passages overlap and it answers best in both. The passage in view stays.
func (s *session) listOnce() {
	var kept []hit
	picked := -1
	for i, h := range s.found {
		again := slices.ContainsFunc(kept, func(k hit) bool { return k.result.Pinpointed && k.result.SameSentence(h.result) })
		if again && !h.first && i != s.picked {
			continue
		}
		if i == s.picked {
			picked = len(kept)
		}
		kept = append(kept, h)
	}
	s.found, s.picked = kept, picked
}
