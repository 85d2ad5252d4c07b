package pipeline

import (
	"errors"
	"fmt"
	"io/fs"

	"inglenook/models"
	"inglenook/pipeline/judge"
	"inglenook/pipeline/modules"
)

// Use is one way to use a model, and whether this one can be used so.
type Use struct {
	Name   string // "chat", "embed", "rerank" or "classify"
	Works  bool
	Reason string // why it does not work, or what to know where it does; one clause
}

// usesOf returns for each use whether the checkpoint can be opened for it, by
// the rules of opening. It reads no weights.
func usesOf(s source, checkpoint fs.FS, mods *modules.List) []Use {
	chat, embed, rerank, classify := Use{Name: "chat"}, Use{Name: "embed", Works: true}, Use{Name: "rerank", Works: true}, Use{Name: "classify"}
	c := s.config
	_, ranks := s.form(mods, "")
	switch chats, err := s.words().HasChatTemplate(); {
	case !c.Causal:
		chat.Reason = "it reads texts and writes none"
	case c.Headless:
		chat.Reason = "it has no output layer, so it cannot write"
	case c.TextToText:
		chat.Works, chat.Reason = true, "it answers one text at a time"
	case mods.Stated:
		chat.Reason = "it is made for embedding"
	case ranks == nil:
		chat.Reason = madeForRanking
	case err != nil:
		chat.Reason = fmt.Sprintf("its chat template cannot be used: %v", err)
	case !chats:
		chat.Reason = "it has no chat template; --prompt TEXT --raw continues a text"
	default:
		chat.Works = true
	}
	switch {
	case c.TextToText:
		embed = Use{Name: "embed", Reason: "it turns a text into another one, and gives no vectors"}
		rerank = Use{Name: "rerank", Reason: embed.Reason}
	case ranks == nil:
		embed = Use{Name: "embed", Reason: madeForRanking}
	case !errors.Is(ranks, judge.ErrNone):
		embed = Use{Name: "embed", Reason: madeForRanking}
		rerank = Use{Name: "rerank", Reason: ranks.Error()}
	case c.Causal && !mods.Stated:
		embed = Use{Name: "embed", Reason: "it is a language model that does not say how to pool; --pooling states it"}
		rerank = Use{Name: "rerank", Reason: embed.Reason}
	case c.Causal && c.OwnCode:
		embed = Use{Name: "embed", Reason: errOwnCode(c).Error()}
		rerank = Use{Name: "rerank", Reason: embed.Reason}
	case !mods.Stated:
		embed.Reason = "it does not say how to pool, so the mean is taken"
	}
	if c.PicturesOnly {
		chat.Reason = "it reads pictures and writes no text"
		return []Use{chat, {Name: "embed", Works: true, Reason: "it reads pictures alone, with --image"}, {Name: "rerank", Reason: "it reads no texts"}}
	}
	if rerank.Works && ranks != nil {
		rerank = s.ranking(rerank)
	}
	switch out, err := s.labelled(); {
	case err != nil:
		classify.Reason = "it has no head for labels or words"
		if other := s.config.OtherHead; other != "" {
			classify.Reason = fmt.Sprintf("the head of %s is not supported (only those of …ForSequenceClassification, …ForTokenClassification and …ForMaskedLM)", other)
		}
	default:
		classify.Works = true
		classify.Reason = map[models.Output]string{models.Marks: "it marks entities in texts", models.Words: "it fills the gaps of texts"}[out]
	}
	if err := s.words().MissingTokenizer(); err != nil {
		for _, u := range []*Use{&chat, &embed, &rerank, &classify} {
			if u.Works {
				u.Works, u.Reason = false, err.Error()
			}
		}
	}
	return []Use{chat, embed, rerank, classify}
}

const madeForRanking = "it is made for ranking documents"

// ranking returns the use of an embedding model for scoring documents: with a reason if
// it cannot, or if cosines take the place of scores.
func (s source) ranking(u Use) Use {
	if s.config.Head != models.Logits || s.config.Causal {
		u.Reason = "it has no head for scores, so the cosine of vectors is taken"
		return u
	}
	if _, err := s.relevance(); err != nil {
		return Use{Name: u.Name, Reason: err.Error()}
	}
	return u
}

// errOwnCode is the reason for not embedding with a language model that comes
// with its own code. That code may let a token attend to those that follow it,
// as some embedders' does.
func errOwnCode(c models.Config) error {
	return fmt.Errorf("%s comes with code of its own (auto_map), which may read in both directions and is not run; choose an embedding model without", c.Architecture)
}

// errTextToText refuses to embed or score texts with a text-to-text model.
func errTextToText(c models.Config) error {
	return fmt.Errorf("%s turns a text into another one, and gives no vectors or scores; use it in Chat, and an embedding model or a reranker here", c.Architecture)
}
