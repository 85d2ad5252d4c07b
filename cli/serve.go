package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/regular"
	"inglenook/server"
)

func serveCommand() command {
	return command{
		name: "serve", about: "Answer other programs on this computer, in the forms of OpenAI, Anthropic, Ollama and rerankers", service: true,
		notes: "Models are opened when they are asked for, and closed to make room for others. One request at a time works with a model, or as\n" +
			"many as --parallel says; the others wait in their order. Only programs on this computer can connect, and no web page can ask, unless --host and --cors say otherwise.\n" +
			"Nothing of a request is written to a log. docs/SERVER.md lists the routes.",
		examples: []string{
			`inglenook serve`,
			`inglenook serve --model path/to/chat.gguf --model starter-embed --context 8192`,
			`inglenook serve --model path/to/chat.gguf --parallel 4`,
			`inglenook tokens add editor; inglenook serve --tokens`,
			`inglenook serve --host 0.0.0.0 --tokens --cert cert.pem --key key.pem`,
		},
		setup: func(f *flags) action {
			var s serveSettings
			f.StringVar(&s.host, "host", "127.0.0.1", "listen at `ADDRESS`; one that other computers can reach needs --tokens or --token-file")
			f.IntVar(&s.port, "port", server.UsualPort, "listen at port `N`; 0: a free one")
			f.several(&s.models, "model", "serve `MODEL` alone; may be given several times, the first one that can answers requests that name none; without it, every model on this computer is served")
			f.several(&s.aliases, "alias", "with --model: call it `NAME` in answers and in the list of models; may be given as often as --model, in the same order")
			f.BoolVar(&s.anyName, "any-name", false, "with --model: answer also who names a model that is not here, for programs whose model cannot be chosen; the answer says which model made it")
			f.StringVar(&s.tokenFile, "token-file", "", "ask for a token; `FILE` has one in each line, of at least 16 characters")
			f.BoolVar(&s.named, "tokens", false, "ask for one of the tokens that inglenook tokens lists")
			f.StringVar(&s.cert, "cert", "", "encrypt the connection with the certificate in `FILE` (PEM, with those that it depends on after it); needs --key")
			f.StringVar(&s.key, "key", "", "`FILE` has the private key of --cert (PEM)")
			f.several(&s.origins, "cors", "let web pages of `ORIGIN` ask, as in http://localhost:3000; may be given several times")
			f.withDevice()
			f.withHold(&s.hold)
			f.IntVar(&s.hold.Sequences, "parallel", 1, "let a language model write `N` answers at once, each with a context of its own in memory; together they take less time than one after the other")
			f.withDraft(&s.draft, "while it writes, ")
			f.noArgs()
			f.require(s.check)
			return func(ctx context.Context, c *call) error {
				s.device, s.verbose = f.device, f.verbose
				return serve(ctx, c, s)
			}
		},
	}
}

// several declares a flag that may be given several times.
func (f *flags) several(list *[]string, name, usage string) {
	f.Func(name, usage, func(value string) error {
		if value == "" {
			return errors.New("it is empty; give a value")
		}
		*list = append(*list, value)
		return nil
	})
}

// serveSettings are what the flags of serve say.
type serveSettings struct {
	host      string
	port      int
	models    []string
	aliases   []string
	anyName   bool
	tokenFile string
	named     bool   // the tokens that are kept let in as well
	cert, key string // files; "": the connection is not encrypted
	origins   []string
	device    string
	hold      devices.Hold
	draft     string
	verbose   bool
}

func (s *serveSettings) check([]string) error {
	switch {
	case s.host == "":
		return errors.New("--host is empty; give an address, such as 127.0.0.1")
	case s.anyName && len(s.models) == 0:
		return errors.New("--any-name belongs to --model; say which models are served")
	case len(s.aliases) > len(s.models):
		return errors.New("--alias belongs to --model; give at most one for each model that is served")
	case len(slices.Compact(slices.Sorted(slices.Values(s.aliases)))) < len(s.aliases):
		return errors.New("two models have the same --alias; give each a name of its own")
	case (s.cert == "") != (s.key == ""):
		return errors.New("--cert and --key belong together; give both or none")
	case s.hold.Sequences < 1 || s.hold.Sequences > devices.MostSequences:
		return fmt.Errorf("--parallel is %d; give a number from 1 to %d", s.hold.Sequences, devices.MostSequences)
	case s.port < 0 || s.port > 65535:
		return fmt.Errorf("--port is %d; give a number from 1 to 65535, or 0 for a free port", s.port)
	}
	return nil
}

// maxTokenFile bounds the file of --token-file, in bytes.
const maxTokenFile = 64 << 10

// tokens reads the file of --token-file.
func (s *serveSettings) tokens(ctx context.Context) ([]string, error) {
	if s.tokenFile == "" {
		return nil, nil
	}
	data, err := regular.ReadFile(ctx, s.tokenFile, maxTokenFile)
	if err != nil {
		return nil, fmt.Errorf("the tokens cannot be read: %w; give a file with a token in each line", err)
	}
	var list []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if t := strings.TrimSpace(lines.Text()); t != "" {
			list = append(list, t)
		}
	}
	if lines.Err() != nil || len(list) == 0 {
		return nil, fmt.Errorf("%s holds no token; write one into each line", s.tokenFile)
	}
	return list, nil
}

// maxCertFile bounds the files of --cert and --key, in bytes.
const maxCertFile = 1 << 20

// encryption reads the files of --cert and --key; nil: there are none.
func (s *serveSettings) encryption(ctx context.Context) (*tls.Config, error) {
	if s.cert == "" {
		return nil, nil
	}
	var data [2][]byte
	for i, name := range []string{s.cert, s.key} {
		var err error
		if data[i], err = regular.ReadFile(ctx, name, maxCertFile); err != nil {
			return nil, fmt.Errorf("the certificate cannot be used: %w; give the PEM files of a certificate and of its key", err)
		}
	}
	pair, err := tls.X509KeyPair(data[0], data[1])
	if err != nil {
		return nil, fmt.Errorf("the certificate in %s and the key in %s cannot be used: %w; give the PEM files of a certificate and of its key", s.cert, s.key, err)
	}
	if now := time.Now(); now.After(pair.Leaf.NotAfter) || now.Before(pair.Leaf.NotBefore) {
		return nil, fmt.Errorf("the certificate in %s is valid from %s to %s, so no client would accept it; renew it", s.cert, pair.Leaf.NotBefore.Format(time.DateOnly), pair.Leaf.NotAfter.Format(time.DateOnly))
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// look returns the models that are served, as far as the flags name them or their limits matter.
func (s *serveSettings) look(ctx context.Context, c *call) (models []library.Model, err error) {
	if len(s.models) == 0 && s.hold.Context > 0 {
		return c.Models(ctx)
	}
	for _, name := range s.models {
		m, err := c.Resolve(ctx, name)
		if err != nil {
			return nil, err
		}
		if !m.Usable {
			return nil, fmt.Errorf("%s cannot be used: %s", m.Name, m.Reason)
		}
		models = append(models, m)
	}
	return models, nil
}

// mostShorter is how many models a sentence names.
const mostShorter = 5

// shorter says in one sentence which models were made for less than --context; empty: none.
func (s *serveSettings) shorter(models []library.Model) string {
	var list []string
	for _, m := range models {
		if m.Usable && m.Writes() && m.MaxLength > 0 && m.MaxLength < s.hold.Context {
			list = append(list, fmt.Sprintf("%s %d", m.Name, m.MaxLength))
		}
	}
	switch n := len(list); {
	case n == 0:
		return ""
	case n > mostShorter:
		list = append(list[:mostShorter], fmt.Sprintf("and %d others", n-mostShorter))
	}
	return fmt.Sprintf("--context is %d, and these models were made for less, which is what they have: %s", s.hold.Context, strings.Join(list, ", "))
}

// serve answers requests until it is interrupted or told to stop.
func serve(ctx context.Context, c *call, s serveSettings) error {
	tokens, err := s.tokens(ctx)
	if err != nil {
		return err
	}
	encryption, err := s.encryption(ctx)
	if err != nil {
		return err
	}
	models, err := s.look(ctx, c) // better now than with the first request
	if err != nil {
		return err
	}
	c.note(s.shorter(models))
	o := server.Options{Target: devices.Target{Device: s.device, Hold: s.hold.Usual()}, Draft: s.draft, Models: s.models, Aliases: s.aliases, AnyName: s.anyName, Host: s.host, Tokens: tokens, Origins: s.origins}
	if s.named {
		o.Keeper = c.Tokens()
	}
	if s.verbose {
		var mu sync.Mutex
		o.Report = func(r server.Request) {
			mu.Lock()
			defer mu.Unlock()
			if c.printJSON(r) == nil {
				_ = c.out.Flush() // the last flush reports what went wrong
			}
		}
	}
	answers, err := server.New(c, o)
	if err != nil {
		return err
	}
	listener, err := server.Listen(ctx, s.host, s.port)
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	if encryption != nil {
		address = "https://" + listener.Addr().String()
		listener = tls.NewListener(listener, encryption)
	} else if (len(tokens) > 0 || s.named) && !slices.Contains([]string{"127.0.0.1", "localhost", "::1"}, s.host) {
		c.note("what is sent and answered is not encrypted; whoever can listen to this network can read it, and the token")
	}
	if c.json {
		err = c.printJSON(map[string]string{"listening": address})
	} else {
		c.printf("listening at %s; Ctrl-C ends it\n", address)
	}
	if err = errors.Join(err, c.out.Flush()); err != nil {
		return errors.Join(notWritten(err), listener.Close())
	}
	return answers.Serve(ctx, listener)
}
