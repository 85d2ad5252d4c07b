package tools

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"inglenook/plain"
)

// Server is a server of tools as a person added it. It has a command or an address.
type Server struct {
	Name    string   `json:"name"`
	Command string   `json:"command,omitempty"` // a program with its arguments, in one line
	Address string   `json:"address,omitempty"` // http or https
	Extra   []string `json:"extra,omitempty"`   // NAME=value: variables of the command's environment, or headers for the address
	Off     bool     `json:"off,omitempty"`     // it is kept and not asked
	Always  []string `json:"always,omitempty"`  // tools that run without a question, by [Tool.mark]
}

// Limits of what a person adds.
const (
	maxServers = 32
	maxName    = 40
	maxLine    = 4096
	maxExtra   = 64
)

// check returns the server as it is kept, or why it cannot be.
func (s Server) check() (Server, error) {
	s.Name, s.Command, s.Address = strings.TrimSpace(s.Name), strings.TrimSpace(s.Command), strings.TrimSpace(s.Address)
	switch {
	case s.Name == "" || len(s.Name) > maxName || plain.Line(s.Name, maxName) != s.Name:
		return s, fmt.Errorf("a tool server needs a name of up to %d letters; give it one that you will recognise", maxName)
	case strings.EqualFold(s.Name, Own):
		return s, fmt.Errorf("“%s” is the program's own; give the tool server another name", Own)
	case (s.Command == "") == (s.Address == ""):
		return s, errors.New("a tool server needs a command or a web address; fill in one of them")
	case len(s.Command)+len(s.Address) > maxLine || len(s.Extra) > maxExtra:
		return s, fmt.Errorf("the command, the address or the list of variables is too long; keep it below %d characters and %d lines", maxLine, maxExtra)
	}
	if s.Command != "" {
		if _, err := words(s.Command); err != nil {
			return s, err
		}
	} else if u, err := url.Parse(s.Address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return s, errors.New("the address of a tool server begins with http:// or https://; check it")
	}
	var extra []string
	for _, line := range s.Extra {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" || strings.ContainsAny(name, " \t:") || strings.ContainsAny(value, "\r\n\x00") {
			return s, errors.New("each line of variables is written as NAME=value; correct the one that is not")
		}
		extra = append(extra, line)
	}
	s.Extra = extra
	return s, nil
}

// headers are the extra lines for an address.
func (s Server) headers() http.Header {
	h := http.Header{}
	for _, line := range s.Extra {
		name, value, _ := strings.Cut(line, "=")
		h.Set(name, value)
	}
	return h
}

// same reports whether two servers are reached in the same way.
func (s Server) same(o Server) bool {
	return s.Command == o.Command && s.Address == o.Address && slices.Equal(s.Extra, o.Extra)
}

// words splits a command into words at white space. Quotes hold a word together; a
// backslash is an ordinary character, as paths of Windows have it.
func words(command string) ([]string, error) {
	var list []string
	var word strings.Builder
	var quote rune
	inside := false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inside = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if inside {
				list = append(list, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote in the command has no end; close it, or leave it out")
	}
	if inside {
		list = append(list, word.String())
	}
	if len(list) == 0 || list[0] == "" {
		return nil, errors.New("the command is empty; give the program that offers the tools")
	}
	return list, nil
}
