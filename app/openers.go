package app

import (
	"context"
	"io"
	"io/fs"
	"iter"

	"inglenook/engine"
	"inglenook/pipeline"
)

// What the application asks of open models. Tests put doubles in their place.
type (
	embedder interface {
		EmbedWith(ctx context.Context, texts []string, r pipeline.EmbedRequest) (pipeline.Embeddings, error)
		Info() pipeline.EmbedderInfo
		io.Closer
	}
	reranker interface {
		ScoreWith(ctx context.Context, query string, documents []string, r pipeline.RerankRequest) (pipeline.Scores, error)
		Info() pipeline.RerankerInfo
		io.Closer
	}
	generator interface {
		Info() pipeline.GeneratorInfo
		Plan(ctx context.Context, chat []pipeline.Message, o pipeline.ReplyOptions) (pipeline.Plan, error)
		Reply(ctx context.Context, chat []pipeline.Message, o pipeline.ReplyOptions) iter.Seq2[pipeline.Token, error]
		Complete(ctx context.Context, text string, o pipeline.ReplyOptions) iter.Seq2[pipeline.Token, error]
		CompleteIDs(ctx context.Context, ids []int32, o pipeline.ReplyOptions) iter.Seq2[pipeline.Token, error]
		Count(ctx context.Context, text string) (int, error)
		Held(ctx context.Context) []int32
		KeepPrefix(ctx context.Context, file pipeline.PrefixFile, stamp string, ids []int32) error
		Forget()
		io.Closer
	}
	forwarder interface {
		Run(ctx context.Context, ids, typeIDs []int32, output string) (pipeline.ForwardResult, error)
		io.Closer
	}
	textTokenizer interface {
		Encode(text string, o pipeline.TokenizeOptions) (pipeline.Encoding, error)
		Decode(ids []int32, skipSpecial bool) (string, error)
		io.Closer
	}
	chatTokenizer interface {
		Render(ctx context.Context, c pipeline.Conversation) (pipeline.Prompt, error)
		IDs(ctx context.Context, p pipeline.Prompt) ([]int32, error)
		io.Closer
	}
)

// openers make open models out of checkpoints.
type openers struct {
	embedder  func(context.Context, fs.FS, []engine.Backend, pipeline.EmbedderOptions) (embedder, error)
	reranker  func(context.Context, fs.FS, []engine.Backend, pipeline.RerankerOptions) (reranker, error)
	generator func(context.Context, fs.FS, []engine.Backend, pipeline.GeneratorOptions) (generator, error)
	forward   func(context.Context, fs.FS, []engine.Backend, pipeline.ForwardOptions) (forwarder, error)
	tokenizer func(checkpoint fs.FS, weightsFile string) (textTokenizer, error)
	chat      func(checkpoint fs.FS, weightsFile string) (chatTokenizer, error)
	describe  func(checkpoint fs.FS, weightsFile string) (pipeline.Description, error)
	needs     func(checkpoint fs.FS, bs []engine.Backend, o pipeline.OutlineOptions) (pipeline.Memory, error)
}

// realOpeners are those of pipeline. They return on an error before the
// pointer becomes an interface: a nil pointer in one is not nil.
func realOpeners() openers {
	return openers{
		embedder: func(ctx context.Context, c fs.FS, bs []engine.Backend, o pipeline.EmbedderOptions) (embedder, error) {
			e, err := pipeline.OpenEmbedder(ctx, c, bs, o)
			if err != nil {
				return nil, err
			}
			return e, nil
		},
		reranker: func(ctx context.Context, c fs.FS, bs []engine.Backend, o pipeline.RerankerOptions) (reranker, error) {
			r, err := pipeline.OpenReranker(ctx, c, bs, o)
			if err != nil {
				return nil, err
			}
			return r, nil
		},
		generator: func(ctx context.Context, c fs.FS, bs []engine.Backend, o pipeline.GeneratorOptions) (generator, error) {
			g, err := pipeline.OpenGenerator(ctx, c, bs, o)
			if err != nil {
				return nil, err
			}
			return g, nil
		},
		forward: func(ctx context.Context, c fs.FS, bs []engine.Backend, o pipeline.ForwardOptions) (forwarder, error) {
			f, err := pipeline.OpenForward(ctx, c, bs, o)
			if err != nil {
				return nil, err
			}
			return f, nil
		},
		tokenizer: func(c fs.FS, weightsFile string) (textTokenizer, error) {
			t, err := pipeline.OpenTokenizer(c, weightsFile)
			if err != nil {
				return nil, err
			}
			return t, nil
		},
		chat: func(c fs.FS, weightsFile string) (chatTokenizer, error) {
			t, err := pipeline.OpenChatTokenizer(c, weightsFile)
			if err != nil {
				return nil, err
			}
			return t, nil
		},
		describe: pipeline.Describe,
		needs: func(c fs.FS, bs []engine.Backend, o pipeline.OutlineOptions) (pipeline.Memory, error) {
			outline, err := pipeline.OpenOutline(c, o)
			if err != nil {
				return pipeline.Memory{}, err
			}
			defer outline.Close()
			fit, err := outline.On(bs)
			return fit.Memory, err
		},
	}
}
