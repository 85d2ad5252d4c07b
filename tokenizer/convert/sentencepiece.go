package convert

import (
	"errors"
	"fmt"
	"slices"

	"inglenook/tokenizer/definition"
)

// SentencePiece converts a SentencePiece model (tokenizer.model of Llama 2, Mistral and
// Gemma, sentencepiece.bpe.model of XLM-RoBERTa) to a tokenizer.json, as the reference
// library converts it. added are the tokens of added_tokens.json.
//
// A BPE model numbers its tokens as the file does. A unigram model alone does not say how
// its tokens are numbered, so of those XLM-RoBERTa's, DeBERTa's and SigLIP's are read and no others.
func SentencePiece(data []byte, added map[string]int32, c definition.Config) (Converted, error) {
	p, err := readPieces(data)
	if err != nil {
		return Converted{}, err
	}
	var v Vocabulary
	switch {
	case p.kind == bpeKind:
		v = p.llama(c)
	case p.kind == unigramKind && (c.ModelType == "xlm-roberta" || c.ClassName == "XLMRobertaTokenizer"):
		if v, err = p.xlmRoberta(); err != nil {
			return Converted{}, err
		}
	case p.kind == unigramKind && (c.ModelType == "deberta-v2" || c.ClassName == "DebertaV2Tokenizer"):
		if v, err = p.deberta(c); err != nil {
			return Converted{}, err
		}
	case p.kind == unigramKind && (c.ModelType == "siglip" || c.ClassName == "SiglipTokenizer"):
		v = p.siglip()
	case p.kind == unigramKind:
		return Converted{}, errors.New("it does not say how its tokens are numbered; add the model's tokenizer.json")
	default:
		return Converted{}, fmt.Errorf("it is of SentencePiece's kind %d, and only BPE and unigram models are known here", p.kind)
	}
	if err := v.add(added, c.Listed); err != nil {
		return Converted{}, err
	}
	return v.Convert()
}

// llama is the vocabulary of Llama 2 and its relatives: ids as in the file.
func (p *pieces) llama(c definition.Config) Vocabulary {
	v := p.vocabulary("llama")
	prefix := p.prefix && definition.IsTrue(c.AddPrefixSpace, true)
	begins, ends := definition.IsTrue(c.AddBOS, true), false
	v.AddSpacePrefix, v.AddBOS, v.AddEOS = &prefix, &begins, &ends
	return v
}

// xlmRoberta is the vocabulary of XLM-RoBERTa: four tokens come first, then the pieces
// behind the file's own three, then <mask>.
func (p *pieces) xlmRoberta() (Vocabulary, error) {
	const own = 3
	if len(p.tokens) < own {
		return Vocabulary{}, fmt.Errorf("it has %d tokens, and XLM-RoBERTa's have three at the beginning", len(p.tokens))
	}
	p.tokens = slices.Concat([]string{"<s>", "<pad>", "</s>", "<unk>"}, p.tokens[own:], []string{"<mask>"})
	p.scores = slices.Concat(make([]float32, 4), p.scores[own:], make([]float32, 1))
	p.types = slices.Concat([]int32{ControlType, ControlType, ControlType, UnknownType}, p.types[own:], []int32{ControlType})
	p.bos, p.pad, p.eos, p.unk = 0, 1, 2, 3
	v := p.vocabulary("t5")
	yes := true
	v.AddBOS, v.AddEOS, v.AddSpacePrefix, v.RemoveExtraWhitespaces, v.Charsmap = &yes, &yes, &p.prefix, &p.squeeze, p.charsmap
	v.CLS, v.SEP, v.MASK = 0, 2, int32(len(p.tokens)-1)
	return v, nil
}

// deberta is the vocabulary of DeBERTa v2 and v3: ids as in the file, then [MASK], and texts
// between [CLS] and [SEP] as in BERT.
func (p *pieces) deberta(c definition.Config) (Vocabulary, error) {
	if definition.IsTrue(c.DoLowerCase, false) || definition.IsTrue(c.SplitByPunct, false) {
		return Vocabulary{}, errors.New("its settings do_lower_case and split_by_punct are not read here; add the model's tokenizer.json")
	}
	v := p.vocabulary("t5")
	yes := true
	v.AddBOS, v.AddEOS, v.AddSpacePrefix, v.RemoveExtraWhitespaces, v.Charsmap, v.PairsOfBERT = &yes, &yes, &p.prefix, &p.squeeze, p.charsmap, true
	for _, r := range []struct {
		token string
		id    *int32
	}{{"[CLS]", &v.CLS}, {"[SEP]", &v.SEP}, {"[MASK]", &v.MASK}} {
		*r.id = int32(slices.Index(v.Tokens, r.token))
		if *r.id >= 0 {
			v.Types[*r.id] = ControlType
		}
	}
	if v.CLS < 0 || v.SEP < 0 {
		return Vocabulary{}, errors.New("it lacks the token [CLS] or [SEP], which begins or ends every text; get a new copy of it")
	}
	v.BOS, v.EOS = v.CLS, v.SEP
	if v.MASK < 0 {
		v.MASK = int32(len(v.Tokens))
		v.Tokens, v.Scores, v.Types = append(v.Tokens, "[MASK]"), append(v.Scores, 0), append(v.Types, ControlType)
	}
	return v, nil
}

// siglip is the vocabulary of SigLIP: ids as in the file, a space before each text, and </s>
// behind it, which also pads.
func (p *pieces) siglip() Vocabulary {
	v := p.vocabulary("t5")
	yes, no := true, false
	v.AddBOS, v.AddEOS, v.AddSpacePrefix, v.RemoveExtraWhitespaces, v.Charsmap = &no, &yes, &yes, &p.squeeze, p.charsmap
	v.PAD = v.EOS
	return v
}

func (p *pieces) vocabulary(model string) Vocabulary {
	return Vocabulary{
		Model: model, Tokens: p.tokens, Scores: p.scores, Types: p.types,
		BOS: p.bos, EOS: p.eos, UNK: p.unk, PAD: p.pad, EOT: -1, SEP: -1, CLS: -1, MASK: -1,
	}
}

// add puts the tokens behind the vocabulary that other files list. Their ids go on where
// it ends.
func (v *Vocabulary) add(added map[string]int32, listed []definition.AddedToken) error {
	more := map[int32]string{}
	for token, id := range added {
		more[id] = token
	}
	for _, t := range listed {
		more[t.ID] = t.Content
	}
	for id := int32(len(v.Tokens)); len(more) > 0; id++ {
		token, ok := more[id]
		if !ok {
			break // the rest names tokens that are there, or leaves a gap
		}
		v.Tokens, v.Scores, v.Types = append(v.Tokens, token), append(v.Scores, 0), append(v.Types, ControlType)
	}
	for id, token := range more {
		if int(id) >= len(v.Tokens) || id < 0 {
			return fmt.Errorf("the token %.60q beside it has the id %d, and the vocabulary ends at %d", token, id, len(v.Tokens)-1)
		}
	}
	return nil
}
