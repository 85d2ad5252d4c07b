package cli

import (
	"context"
	"time"

	talks "inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/app/texts"
	"inglenook/plain"
)

func demoCommand() command {
	return command{
		name: "demo", about: "Try everything on sample documents: index, search, rerank, compare sentences, a short chat, with timings",
		setup: func(f *flags) action {
			f.withModel()
			f.noArgs()
			return func(ctx context.Context, c *call) error { return demo(ctx, c, f.model, f.device) }
		},
	}
}

// What the demo asks the sample documents, and then the language model.
const (
	demoQuery    = "Why did Marit wake up when the light went out?"
	demoQuestion = "What did the skipper see from the mail boat?"
	demoHelp     = "How do I get a better language model?"
)

type demoJSON struct {
	similarityDemo            // at the top, as it has always been
	Index          indexDemo  `json:"index"`
	Search         searchDemo `json:"search"`
	Rerank         rerankDemo `json:"rerank"`
	Chat           chatDemo   `json:"chat"`
}

// demo does the whole main job with the models at hand, one step after another.
func demo(ctx context.Context, c *call, model, device string) error {
	var out demoJSON
	for _, step := range []func() error{
		func() (err error) { out.Index, err = demoIndex(ctx, c, device); return err },
		func() (err error) { out.Search, err = demoSearch(ctx, c); return err },
		func() (err error) {
			out.Rerank, err = demoRerank(ctx, c, model, device, out.Search.Results)
			return err
		},
		func() (err error) { out.similarityDemo, err = demoSimilarity(ctx, c, model, device); return err },
		func() (err error) { out.Chat, err = demoChat(ctx, c, device, out.Rerank.Results); return err },
	} {
		if err := step(); err != nil {
			return err
		}
		_ = c.out.Flush() // the last flush reports what went wrong
	}
	if c.json {
		return c.printJSON(out)
	}
	c.printf("\nThe collection %s stays, so you can search it: inglenook search --collection %s QUERY\n", documents.SamplesName, documents.SamplesName)
	return nil
}

// say prints where no JSON is asked for.
func (c *call) say(format string, args ...any) {
	if !c.json {
		c.printf(format, args...)
	}
}

type indexDemo struct {
	Files    int     `json:"files"`
	Passages int     `json:"passages"`
	Tokens   int64   `json:"tokens"` // embedded now; 0 where nothing had changed
	TookMS   float64 `json:"took_ms"`
}

func demoIndex(ctx context.Context, c *call, device string) (indexDemo, error) {
	c.say("1. Index: the sample documents that come with Inglenook\n")
	if _, err := c.Documents().AddSamples(ctx); err != nil {
		return indexDemo{}, err
	}
	got, err := c.Documents().Index(ctx, documents.IndexRequest{Collection: documents.SamplesName, Target: devices.Target{Device: device}}, nil, c.progress)
	c.clearBar()
	if err != nil {
		return indexDemo{}, err
	}
	c.say("   %s, %s, ready in %s\n", plural(got.Collection.Files, "file"), plural(got.Collection.Passages, "passage"), got.Took.Round(time.Millisecond))
	return indexDemo{got.Collection.Files, got.Collection.Passages, got.Tokens, milliseconds(got.Took)}, nil
}

type searchDemo struct {
	Query   string         `json:"query"`
	Results []foundPassage `json:"results"`
	TookMS  float64        `json:"took_ms"`
}

func demoSearch(ctx context.Context, c *call) (searchDemo, error) {
	c.say("\n2. Search by meaning and by words: %s\n", demoQuery)
	got, err := c.Documents().Search(ctx, documents.SearchRequest{Text: demoQuery, Collections: []string{documents.SamplesName}, Limit: 5})
	if err != nil {
		return searchDemo{}, err
	}
	found := ranked(got.Files)
	for i, p := range found {
		c.say("%5d.  %.2f  %s\n", i+1, p.Score, plain.Line(p.Text, 90))
	}
	c.say("   found in %s\n", got.Took.Round(time.Millisecond))
	return searchDemo{demoQuery, found, milliseconds(got.Took)}, nil
}

type rerankDemo struct {
	Model   string       `json:"model"`
	Method  string       `json:"method"`
	Results []rankedJSON `json:"results"`
	TookMS  float64      `json:"took_ms"`
}

func demoRerank(ctx context.Context, c *call, model, device string, found []foundPassage) (rerankDemo, error) {
	r := texts.RerankRequest{Model: model, Target: devices.Target{Device: device}, Query: demoQuery}
	for _, p := range found {
		r.Texts = append(r.Texts, p.Text)
	}
	c.say("\n3. Rerank: the same passages, each read once more beside the question\n")
	got, err := c.Rerank(ctx, r, c.progress)
	c.clearBar()
	if err != nil {
		return rerankDemo{}, err
	}
	out := rerankDemo{Model: got.Model.ID, Method: got.Method, TookMS: milliseconds(got.Took)}
	for i, x := range got.Ranking {
		out.Results = append(out.Results, rankedJSON{x.Index, x.Score, r.Texts[x.Index]})
		c.say("%5d.  %.2f  was %d.  %s\n", i+1, x.Score, x.Index+1, plain.Line(r.Texts[x.Index], 80))
	}
	c.say("   %s by %s in %s\n", got.Model.Name, got.Method, got.Took.Round(time.Millisecond))
	return out, nil
}

type similarityDemo struct {
	Model   string        `json:"model"`
	Device  string        `json:"device"`
	Texts   []string      `json:"texts"`
	Matrix  [][]float32   `json:"matrix"`
	Nearest []nearestJSON `json:"nearest"`
	Timings timingsJSON   `json:"timings"`
}

type nearestJSON struct {
	Index   int     `json:"index"`
	Nearest int     `json:"nearest"`
	Score   float32 `json:"score"`
}

type timingsJSON struct {
	LoadMS     float64 `json:"load_ms"`
	EmbedMS    float64 `json:"embed_ms"`
	TextsPerS  float64 `json:"texts_per_s"`
	TokensPerS float64 `json:"tokens_per_s"`
}

func demoSimilarity(ctx context.Context, c *call, model, device string) (similarityDemo, error) {
	got, err := c.Similarity(ctx, texts.SimilarityRequest{Model: model, Device: device, Texts: texts.SampleTexts()}, c.progress)
	c.clearBar()
	if err != nil {
		return similarityDemo{}, err
	}
	c.noteFallbacks(got.Fallbacks, nil) // the notices are in the note
	c.note(got.Note)
	out := similarityDemo{
		Model: got.Model.ID, Device: got.Device, Texts: got.Texts, Matrix: got.Matrix,
		Timings: timingsJSON{milliseconds(opening(c, got)), milliseconds(got.Took), got.TextsPerS, got.TokensPerS},
	}
	for i := range got.Texts {
		for _, n := range got.Nearest(i, 1) {
			out.Nearest = append(out.Nearest, nearestJSON{i, n.Index, n.Score})
		}
	}
	if c.json {
		return out, nil
	}
	c.printf("\n4. Compare: how alike are these sentences? %s compares the meaning of each with each.\n\n", got.Model.Name)
	c.printMatrix(got)
	c.printf("\nThe nearest to each\n")
	for _, n := range out.Nearest {
		c.printf("%4d → %-2d  %.2f  %s → %s\n", n.Index+1, n.Nearest+1, n.Score, plain.Line(got.Texts[n.Index], 44), plain.Line(got.Texts[n.Nearest], 44))
	}
	c.printf("\n   embedded in %s on %s: %s texts/s, %s tokens/s\n", got.Took.Round(100*time.Microsecond), got.Device, speed(got.TextsPerS), speed(got.TokensPerS))
	return out, nil
}

// opening is how long it took to open the model of a comparison, by whichever step of the demo.
func opening(c *call, got texts.SimilarityResult) (took time.Duration) {
	for _, open := range c.OpenModels() {
		if open.Model == got.Model.ID {
			took += open.Load
		}
	}
	return max(took, got.Load)
}

type chatDemo struct {
	Model string         `json:"model"`
	Turns []chatDemoTurn `json:"turns"`
}

type chatDemoTurn struct {
	Prompt string         `json:"prompt"`
	Answer chatAnswerJSON `json:"answer"`
}

// demoChat asks the bundled language model about the program, and about the passage
// that is the best after reranking.
func demoChat(ctx context.Context, c *call, device string, passages []rankedJSON) (chatDemo, error) {
	o := pool.WriterOptions{Model: library.StarterChat, Target: devices.Target{Device: device}}
	open, err := c.OpenChat(ctx, o, c.progress)
	if err != nil {
		return chatDemo{}, err
	}
	defer open.Close()
	c.clearBar()
	out := chatDemo{Model: library.StarterChat}
	c.say("\n5. Chat with %s (%s)\n", library.StarterChat, library.TinyInWords)
	prompts := []string{demoHelp}
	if len(passages) > 0 {
		prompts = append(prompts, passages[0].Document+"\n\n"+demoQuestion)
	}
	for _, prompt := range prompts {
		c.say("   > %s\n   ", plain.Line(prompt, 100))
		w := writer{call: c, silent: c.json}
		got, err := talks.Collect(open.Answer(ctx, []talks.PromptMessage{talks.TextMessage("user", prompt)}, talks.ReplyOptions{}), w.token)
		w.end(err)
		if err != nil {
			return chatDemo{}, err
		}
		answer := answerJSON(got, open)
		out.Turns = append(out.Turns, chatDemoTurn{prompt, answer})
		c.say("   first word after %.0f ms, %.0f tokens/s\n", answer.Timings.PromptMS, answer.Timings.GenerateTokensPerS)
	}
	return out, nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
