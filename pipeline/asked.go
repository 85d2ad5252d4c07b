package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/judge"
	"inglenook/pipeline/modules"
	"inglenook/pipeline/placement"
)

// Forms are the names of the forms in which language models are asked whether a
// document answers a query.
func Forms() []string { return judge.Names() }

// form returns the form in which a checkpoint's model ranks; judge.ErrNone: it is no such
// model. name is a form that a person chose, or "".
func (s source) form(mods *modules.List, name string) (judge.Form, error) {
	switch {
	case !s.config.Causal && name != "":
		return judge.Form{}, fmt.Errorf("%s is no language model, so it cannot be asked in the form %.40q; leave the form out", s.config.Architecture, name)
	case s.config.TextToText && name != "":
		return judge.Form{}, errTextToText(s.config)
	case !s.config.Causal || s.config.TextToText || mods.Stated && name == "":
		return judge.Form{}, judge.ErrNone
	}
	return judge.Find(judge.Checkpoint{
		Folder: s.folder, Meta: s.set.Meta(), ModelType: s.config.ModelType,
		Words: mods.Score, Classifies: s.config.Labels == 1,
	}, name)
}

// openAsked opens a language model that ranks. judge.ErrNone says that it is none.
func openAsked(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o RerankerOptions) (*reranker, error) {
	quantize, err := weightType(o.Weights)
	if err != nil {
		return nil, err
	}
	s, err := openSource(checkpoint, o.WeightsFile, quantize)
	if err != nil {
		return nil, judge.ErrNone // whoever opens it in another way says what is wrong
	}
	form, words, err := s.asks(checkpoint, o.Form)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	enc, err := newEncoder(s, placement.NewList(bs, o.Available), o.BatchTokens)
	if err != nil {
		return nil, err
	}
	r := &reranker{enc: enc, act: form.Activation} // that of a template of its own follows
	if err := r.ask(ctx, s, form, words, o); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// asks returns the form of a checkpoint, and the words of its module list.
func (s source) asks(checkpoint fs.FS, name string) (judge.Form, *modules.LogitScore, error) {
	mods, err := s.outlineModules(checkpoint)
	if err != nil {
		return judge.Form{}, nil, err
	}
	defer mods.Close()
	form, err := s.form(mods, name)
	if name != "" {
		return form, nil, err
	}
	return form, mods.Score, err
}

// ask opens tokenizer and head of a language model that ranks.
func (r *reranker) ask(ctx context.Context, s source, form judge.Form, words *modules.LogitScore, o RerankerOptions) (err error) {
	if r.enc.tok, err = s.words().Tokenizer(); err != nil {
		return err
	}
	var template *chattemplate.Template
	if words != nil {
		template, _ = s.words().ChatTemplate(r.enc.tok) // the form's prompt serves without one
	}
	if r.asker, err = judge.Open(form, r.enc.tok, words, template); err != nil {
		return err
	}
	if r.asker.Name == judge.OwnTemplate {
		if r.act, err = scoreActivation(s.folder, 1); err != nil {
			return err
		}
	}
	if err := r.ownHead(s); err != nil {
		return err
	}
	empty, err := r.asker.IDs(ctx, "", "")
	if err != nil {
		return err
	}
	if err := r.leaveRoom(len(empty)+seam, r.enc.config.MaxTokens, r.enc.tok.ModelMaxLength(), form.MaxLength, o.MaxLength); err != nil {
		return err
	}
	return r.enc.load(ctx, r.record, o.Progress, o.Prove)
}

// seam is how many tokens a prompt may have beyond those of its parts, because a text
// beside others is cut into tokens in another way.
const seam = 8

// ownHead takes the head that a checkpoint may store for ranking alone: one row a word,
// or one for the score.
func (r *reranker) ownHead(s source) error {
	const name = "score.weight"
	info, stored := s.set.Info(name)
	switch {
	case !stored && s.config.Headless:
		return fmt.Errorf("%s has neither an output layer nor the tensor %s, so it cannot rank; choose the whole model", s.config.Architecture, name)
	case !stored:
		return nil
	case len(info.Shape) == 0:
		return fmt.Errorf("the tensor %s is a single number instead of a head; get the model again", name)
	}
	yes, no, err := judge.Labels(s.set.Meta(), s.config.ModelType, info.Shape[0])
	if err != nil {
		return err
	}
	scope := s.set.Scope()
	r.head = scope.Matrix(name, info.Shape[0], s.config.Hidden)
	r.asker.Columns(yes, no)
	return scope.Err()
}

// recordAnswer records what follows a prompt: logits [1, vocab], or the outputs of the
// head [1, outputs].
func recordAnswer(g *engine.Graph, b models.Batch, m *models.Reader, head *engine.Tensor) *engine.Tensor {
	if head == nil {
		return m.Last(g, b, models.Logits)
	}
	return g.Linear(m.Last(g, b, models.Hidden), head, nil, engine.None)
}
