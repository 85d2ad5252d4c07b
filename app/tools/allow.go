package tools

import (
	"fmt"
	"slices"
)

// Verdict is what a person says to a call.
type Verdict int

// The verdicts.
const (
	Refuse  Verdict = iota
	Once            // this call
	ForChat         // this tool in this chat, until the program ends
	Always          // this tool everywhere, until its server is changed or says something else about it
)

// maxAlways bounds the tools of a server that run without a question.
const maxAlways = 2 * maxTools

// Allowed reports whether a tool may run in a conversation without a question.
func (s *Service) Allowed(conversation string, t Tool) bool {
	s.mu.Lock()
	here := s.allowed[conversation+"\x00"+t.Server+"\x00"+t.mark()]
	s.mu.Unlock()
	if t.Server == Own {
		return here || slices.Contains(s.kept.readOwn(), t.Name)
	}
	return here || slices.ContainsFunc(s.Servers(), func(x Server) bool {
		return x.Name == t.Server && slices.Contains(x.Always, t.mark())
	})
}

// Allow keeps what a person said to a call of a tool, where it is for later calls too.
func (s *Service) Allow(conversation string, t Tool, v Verdict) error {
	switch v {
	case ForChat:
		s.mu.Lock()
		s.allowed[conversation+"\x00"+t.Server+"\x00"+t.mark()] = true
		s.mu.Unlock()
	case Always:
		if t.Server == Own {
			return s.kept.addOwn(t.Name)
		}
		err := s.kept.change(func(list []Server) ([]Server, error) {
			at := slices.IndexFunc(list, func(x Server) bool { return x.Name == t.Server })
			if at >= 0 && !slices.Contains(list[at].Always, t.mark()) && len(list[at].Always) < maxAlways {
				list[at].Always = append(slices.Clip(list[at].Always), t.mark())
			}
			return list, nil
		})
		if err != nil {
			return fmt.Errorf("the tool will ask again: %w", err)
		}
	}
	return nil
}
