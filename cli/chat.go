package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"inglenook/app/base"
	talks "inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/plain"
	"inglenook/regular"
)

func chatCommand() command {
	return command{
		name: "chat", about: "Talk with a language model, or give it one prompt", ownInterrupts: true,
		examples: []string{
			`inglenook chat`,
			`inglenook chat --model Qwen/Qwen2.5-0.5B-Instruct --prompt "Name three rivers"`,
			`inglenook chat --collection Letters --prompt "When does the lease end?"  # with what the answer rests on`,
		},
		setup: func(f *flags) action {
			s := chatSettings{flags: f}
			f.StringVar(&f.model, "model", library.StarterChat, "`MODEL`: "+library.StarterChat+" (bundled; "+library.TinyInWords+"), "+languageModelForms)
			f.withDevice()
			f.withHold(&s.hold)
			f.StringVar(&s.prompt, "prompt", "", "answer `TEXT` and end; without it, talk")
			f.StringVar(&s.system, "system", "", "begin with `TEXT` as the system message")
			f.StringVar(&s.collection, "collection", "", "answer from the documents of the collection `NAME`: prints the passages that go with the question, the answer, and which passage supports which sentence")
			f.BoolVar(&s.raw, "raw", false, "continue the prompt as it stands, without the model's chat template")
			f.IntVar(&s.maxTokens, "max-tokens", 0, "end an answer after `N` tokens; 0: when the model ends it or the context is full")
			f.Func("stop", "end an answer before `TEXT`; may be given several times", func(text string) error {
				s.stop = append(s.stop, text)
				return nil
			})
			f.oneOf(&s.format, "format", "text", []string{"text", "json"}, "answer as `FORM`; json is {\"not_found\": …} where --collection does not answer")
			f.StringVar(&s.schemaFile, "json-schema", "", "answer with JSON that the schema in `FILE` allows")
			s.declareSampling()
			f.withDraft(&s.draft, "")
			f.noArgs()
			f.require(s.check)
			return func(ctx context.Context, c *call) error { return chat(ctx, c, &s) }
		},
	}
}

const languageModelForms = "a Hub id that lies in the Hub cache, a folder with config.json and weights, a .safetensors or .gguf file, or NAME/MODEL of a server that was added"

// chatSettings are what the flags of chat say.
type chatSettings struct {
	flags                   *flags
	hold                    devices.Hold
	prompt, system          string
	collection              string
	raw                     bool
	maxTokens               int
	stop                    []string
	format, schemaFile      string
	draft                   string
	temperature, topP, minP float64
	typicalP, repeatPenalty float64
	frequencyPenalty        float64
	presencePenalty         float64
	topK                    int
	seed                    uint64
	logitBias               string
	biases                  map[int32]float32
	given                   map[string]bool // flags that were given
	schema                  []byte
}

func (s *chatSettings) declareSampling() {
	f := s.flags
	f.Float64Var(&s.temperature, "temperature", 0, "choose tokens with temperature `X`; 0: always the likeliest. Settings that are not given are those that the model's makers suggest")
	f.IntVar(&s.topK, "top-k", 0, "choose among the `N` likeliest; 0: among all")
	f.Float64Var(&s.topP, "top-p", 0, "choose among the likeliest that together have probability `P`")
	f.Float64Var(&s.minP, "min-p", 0, "choose among those that are at least `P` times as likely as the likeliest")
	f.Float64Var(&s.typicalP, "typical-p", 0, "choose among the most typical that together have probability `P`")
	f.Float64Var(&s.repeatPenalty, "repeat-penalty", 0, "divide the scores of tokens that occurred by `X`; 1: off")
	f.Float64Var(&s.frequencyPenalty, "frequency-penalty", 0, "take `X` off a token's score for each time that it occurred")
	f.Float64Var(&s.presencePenalty, "presence-penalty", 0, "take `X` off the score of tokens that occurred")
	f.Uint64Var(&s.seed, "seed", 0, "the same `N` gives the same text; 0: another each time")
	f.StringVar(&s.logitBias, "logit-bias", "", "add to scores, `ID=X` with commas between, as in 42=-5,7=1.5")
}

func (s *chatSettings) check([]string) (err error) {
	s.given = map[string]bool{}
	s.flags.Visit(func(x *flag.Flag) { s.given[x.Name] = true })
	switch {
	case strings.TrimSpace(s.flags.model) == "":
		return errors.New("--model is empty; give a language model: " + languageModelForms)
	case s.maxTokens < 0:
		return fmt.Errorf("--max-tokens is %d; give a number of tokens, or 0 for no limit", s.maxTokens)
	case s.given["prompt"] && (s.prompt == "" || !s.raw && plain.IsBlank(s.prompt)):
		return errors.New("--prompt is empty; give a text to answer")
	case s.raw && !s.given["prompt"]:
		return errors.New("--raw continues a prompt; give one with --prompt")
	case s.raw && s.system != "":
		return errors.New("--raw sends the prompt alone; put what --system says into it")
	case s.given["collection"] && strings.TrimSpace(s.collection) == "":
		return errors.New("--collection is empty; give the name of a collection, as inglenook collections list prints it")
	case s.raw && s.collection != "":
		return errors.New("--raw sends the prompt alone; leave --collection out")
	case s.schemaFile != "" && s.given["format"] && s.format != "json":
		return errors.New("--json-schema answers with JSON; leave --format out")
	case s.flags.json && !s.given["prompt"]:
		return errors.New("--json prints one answer; give a prompt with --prompt")
	}
	if slices.Contains(s.stop, "") {
		return errors.New("--stop is empty, which would end every answer before it begins; give a text")
	}
	if s.biases, err = parseBiases(s.logitBias); err != nil {
		return err
	}
	return s.sampling(talks.Sampling{}).Check()
}

// parseBiases reads "42=-5,7=1.5".
func parseBiases(list string) (map[int32]float32, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	biases := map[int32]float32{}
	for part := range strings.SplitSeq(list, ",") {
		id, value, found := strings.Cut(part, "=")
		n, err := strconv.ParseInt(strings.TrimSpace(id), 10, 32)
		x, err2 := strconv.ParseFloat(strings.TrimSpace(value), 32)
		if !found || err != nil || err2 != nil || n < 0 {
			return nil, fmt.Errorf("%q in --logit-bias does not fit; give a token id and a number, as in 42=-5", part)
		}
		biases[int32(n)] = float32(x)
	}
	return biases, nil
}

// sampling is the model's own with what the flags say instead.
func (s *chatSettings) sampling(own talks.Sampling) *talks.Sampling {
	for name, put := range map[string]func(){
		"temperature":       func() { own.Temperature = s.temperature },
		"top-k":             func() { own.TopK = s.topK },
		"top-p":             func() { own.TopP = s.topP },
		"min-p":             func() { own.MinP = s.minP },
		"typical-p":         func() { own.TypicalP = s.typicalP },
		"repeat-penalty":    func() { own.RepeatPenalty = s.repeatPenalty },
		"frequency-penalty": func() { own.FrequencyPenalty = s.frequencyPenalty },
		"presence-penalty":  func() { own.PresencePenalty = s.presencePenalty },
		"seed":              func() { own.Seed = s.seed },
		"logit-bias":        func() { own.LogitBias = s.biases },
	} {
		if s.given[name] {
			put()
		}
	}
	return &own
}

// chosen are the settings of sampling that were given, as servers call them.
func (s *chatSettings) chosen() map[string]bool {
	names := map[string]bool{}
	for name := range s.given {
		names[strings.ReplaceAll(name, "-", "_")] = true
	}
	return names
}

func (s *chatSettings) reply(c *call, own talks.Sampling) talks.ReplyOptions {
	return talks.ReplyOptions{
		MaxTokens: s.maxTokens, Sampling: s.sampling(own), Chosen: s.chosen(), Stop: s.stop,
		JSON: s.format == "json", JSONSchema: s.schema,
		Progress: func(done, total int) {
			c.progress(base.Progress{Stage: base.StageReading, Done: int64(done), Total: int64(total), Unit: "tokens"})
		},
		Waiting: func(server string, since time.Duration) {
			c.progress(base.Progress{Stage: base.StageServer, Server: server, Done: int64(since.Seconds())})
		},
	}
}

// maxSchemaBytes bounds a schema's file.
const maxSchemaBytes = 1 << 20

func (s *chatSettings) readSchema(ctx context.Context) error {
	if s.schemaFile == "" {
		return nil
	}
	data, err := regular.ReadFile(ctx, s.schemaFile, maxSchemaBytes)
	switch {
	case errors.Is(err, regular.ErrTooLarge):
		return fmt.Errorf("the schema %s cannot be read: it is larger than %d bytes", s.schemaFile, maxSchemaBytes)
	case err != nil:
		return fmt.Errorf("the schema cannot be read: %w; give a file that holds a JSON schema", err)
	}
	s.schema = data
	return nil
}

// chat opens the model, then answers one prompt or talks.
func chat(ctx context.Context, c *call, s *chatSettings) error {
	if err := s.readSchema(ctx); err != nil {
		return err
	}
	loading, stop := interruptible(ctx)
	defer stop()
	o := pool.WriterOptions{Target: devices.Target{Hold: s.hold.Usual()}}
	o.Model, o.Device, o.Plain, o.Draft = s.flags.model, s.flags.device, s.raw, s.draft
	open, err := c.OpenChat(loading, o, c.progress)
	if errors.Is(err, talks.ErrNoChatTemplate) {
		return fmt.Errorf("%w; with --prompt TEXT --raw it continues a text as it stands", err)
	}
	if err != nil {
		return err
	}
	defer open.Close()
	c.clearBar()
	info := open.Info()
	c.note(unsaid(info.Notes, open.Notes)...)
	c.note(open.Notes...)
	c.noteFallbacks(info.Fallbacks, open.Notices)
	if s.given["prompt"] {
		return answerOnce(loading, c, s, open)
	}
	return newTalk(c, s, open).run(ctx, stop)
}

// unsaid are the notes with which none of the others begins.
func unsaid(notes, others []string) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(n string) bool {
		return slices.ContainsFunc(others, func(other string) bool { return strings.HasPrefix(other, n) })
	})
}

// talk returns a conversation with these messages.
func (s *chatSettings) talk(messages []talks.Message) talks.Talk {
	return talks.Talk{System: s.system, Messages: messages, Documents: s.collection != ""}
}

type chatAnswerJSON struct {
	Text             string          `json:"text"`
	Thinking         string          `json:"thinking,omitempty"`
	Tokens           []int32         `json:"tokens"`
	FinishReason     string          `json:"finish_reason"`
	Stop             string          `json:"stop,omitempty"` // the stop text that ended it
	PromptTokens     int             `json:"prompt_tokens"`
	CompletionTokens int             `json:"completion_tokens"`
	Seed             uint64          `json:"seed"`
	Timings          chatTimingsJSON `json:"timings"`
	Device           string          `json:"device"`
	Fallbacks        []fallbackJSON  `json:"fallbacks"`
	Notes            []string        `json:"notes,omitempty"` // why nothing was guessed
	Drafted          int             `json:"drafted"`         // tokens that were guessed
	Accepted         int             `json:"accepted"`        // of them those that came

	// With --collection.
	Passages []passageJSON `json:"passages,omitzero"`
	Claims   []claimJSON   `json:"claims,omitzero"`
}

type chatTimingsJSON struct {
	LoadMS             float64 `json:"load_ms"`
	PromptMS           float64 `json:"prompt_ms"`
	PromptTokensPerS   float64 `json:"prompt_tokens_per_s"`
	GenerateMS         float64 `json:"generate_ms"`
	GenerateTokensPerS float64 `json:"generate_tokens_per_s"`
}

// answerOnce answers the prompt of the flags: the text as it comes, or one JSON
// document at the end. An answer that was interrupted is printed as far as it came.
func answerOnce(ctx context.Context, c *call, s *chatSettings, open *talks.Writer) error {
	o := s.reply(c, open.Info().Sampling)
	o.Plain = s.raw
	question := talks.Message{ID: 1, Role: talks.RoleUser, Parts: talks.Content(s.prompt)}
	w := writer{call: c, silent: s.flags.json}
	asked := asking{call: c, open: open, settings: s, writer: &w}
	got, err := asked.answer(ctx, nil, &question, o)
	w.end(err)
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		if s.flags.json && got.Text != "" { // what came before the error is kept
			err = errors.Join(err, c.printJSON(answerJSON(got, open)))
		}
		return err
	}
	broken := s.brokenJSON(got, open.Model.Elsewhere())
	if s.flags.json {
		out := answerJSON(got, open)
		out.Passages, out.Claims = asked.restsOn(got.Text)
		err = errors.Join(err, c.printJSON(out))
	} else {
		if broken == nil {
			s.noteEnd(c, got)
		}
		asked.print(got.Text)
	}
	if interrupted {
		return context.Canceled
	}
	return errors.Join(err, broken)
}

// brokenJSON is an error where JSON is wanted and an answer ended before it was that. elsewhere is that
// the model runs on a server.
func (s *chatSettings) brokenJSON(got talks.Answer, elsewhere bool) error {
	if s.format != "json" && s.schemaFile == "" || json.Valid([]byte(got.Text)) {
		return nil
	}
	switch got.Finished.Reason {
	case talks.FinishLength:
		return fmt.Errorf("the answer is not complete JSON: it stopped at %s; give it more tokens", s.lengthLimit())
	case talks.FinishFiltered, talks.FinishOther:
		return fmt.Errorf("the answer is not complete JSON: %s", strings.Join(append(got.Finished.Notices, "ask again, or another model"), "; "))
	case talks.FinishContext:
		return errors.New("the answer is not complete JSON: the context is full; a larger --context gives it room")
	case talks.FinishRepeats:
		return errors.New("the answer is not complete JSON: the model repeated itself without end; try another --seed or a larger model")
	case talks.FinishNotFound:
		return errors.New("there is no answer for the schema: the question is not answered in the documents, so the model was not asked; without --collection the model answers alone")
	}
	if len(s.stop) > 0 {
		return errors.New("the answer is not complete JSON: it ended at a text of --stop; leave that out")
	}
	if elsewhere {
		return errors.New("the answer is not JSON, which this server may not know how to make a model write; ask a model on this computer, or of another server")
	}
	return errors.New("the answer is not complete JSON, although the model ended it; ask again, or another model")
}

func answerJSON(a talks.Answer, open *talks.Writer) chatAnswerJSON {
	read := a.Started.PromptTokens - a.Started.Reused
	return chatAnswerJSON{
		Text: a.Text, Thinking: a.Thinking, Tokens: append([]int32{}, a.IDs...), FinishReason: a.Finished.Reason, Stop: a.Finished.Stop,
		PromptTokens: a.Started.PromptTokens, CompletionTokens: a.Finished.Tokens, Seed: a.Started.Seed,
		Timings: chatTimingsJSON{
			LoadMS: milliseconds(open.Load), PromptMS: milliseconds(a.Started.Took), PromptTokensPerS: base.PerSecond(read, a.Started.Took),
			GenerateMS: milliseconds(a.Finished.Took), GenerateTokensPerS: base.PerSecond(a.Finished.Tokens, a.Finished.Took),
		},
		Drafted: a.Finished.Drafted, Accepted: a.Finished.Accepted,
		Device: a.Finished.Device, Fallbacks: fallbacksJSON(a.Finished.Fallbacks, slices.Concat(open.Notices, a.Finished.OfDevices())),
		Notes: slices.Concat(open.Notes, a.Finished.Unguessed),
	}
}

// lengthLimit names the limit at which an answer stopped.
func (s *chatSettings) lengthLimit() string {
	if s.maxTokens > 0 {
		return "--max-tokens"
	}
	return "a limit of the server, which --max-tokens may raise, or when its model could see no more"
}

// noteEnd prints why an answer ended, unless the model ended it, or a notice told it.
func (s *chatSettings) noteEnd(c *call, got talks.Answer) {
	switch got.Finished.Reason {
	case talks.FinishLength:
		c.note("the answer stopped at " + s.lengthLimit())
	case talks.FinishContext:
		c.note("the answer stopped because the context is full; a larger --context gives it room")
	case talks.FinishRepeats:
		c.note("the answer stopped because the model repeated itself without end; another --seed or a larger model may help")
	}
}

// writer prints an answer as it comes. What the model thinks is dim on a
// terminal and between marks elsewhere.
type writer struct {
	*call
	silent   bool
	thinking bool
	last     string
}

func (w *writer) token(t talks.Token) {
	if t.Started != nil || t.Notice != "" {
		w.clearBar()
	}
	if t.Notice != "" {
		w.interrupt(t.Notice)
	}
	if w.silent || t.Text == "" {
		return
	}
	if t.Thinking != w.thinking {
		w.thinking = t.Thinking
		w.mark()
	}
	w.printText(plain.Terminal(t.Text)) // also through a pipe, which may end at a terminal
	w.last = t.Text
	_ = w.out.Flush() // the last flush reports what went wrong
}

// interrupt prints a sentence in the middle of an answer, on a terminal below the unfinished
// line.
func (w *writer) interrupt(sentence string) {
	if w.terminal && !w.silent && w.last != "" && !strings.HasSuffix(w.last, "\n") {
		w.last = "\n"
		w.printf("\n")
		_ = w.out.Flush()
	}
	w.note(sentence)
}

// mark shows where thinking begins and ends.
func (w *writer) mark() {
	switch {
	case w.terminal && w.thinking:
		w.printf("\x1b[2m")
	case w.terminal:
		w.printf("\x1b[0m")
	case w.thinking:
		w.printf("<think>")
	default:
		w.printf("</think>")
	}
}

// end finishes the line, so that what is said next stands below the answer. An
// answer that failed before it began has no line.
func (w *writer) end(err error) {
	w.clearBar()
	if w.silent || err != nil && w.last == "" {
		return
	}
	if w.thinking {
		w.thinking = false
		w.mark()
	}
	if !strings.HasSuffix(w.last, "\n") {
		w.printf("\n")
	}
	_ = w.out.Flush()
}
