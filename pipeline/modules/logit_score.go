package modules

import (
	"fmt"
	"io/fs"
	"path"

	"inglenook/pipeline/smallfile"
)

// LogitScore is the module of a language model that ranks: a document's score is the
// logit of one token at the end of the prompt, less that of another.
type LogitScore struct {
	Yes, No int // ids of tokens; No is -1 where the logit of Yes alone counts
}

func (m *List) readLogitScore(fsys fs.FS, dir string) error {
	name := path.Join(dir, "config.json")
	var c struct {
		Yes   *int   `json:"true_token_id"`
		No    *int   `json:"false_token_id"`
		Input string `json:"module_input_name"`
	}
	found, err := smallfile.JSON(fsys, name, &c)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("%s is missing, so by which word this model ranks is unknown; get the checkpoint again", name)
	case c.Yes == nil || *c.Yes < 0 || *c.Yes > maxID || c.No != nil && (*c.No < 0 || *c.No > maxID):
		return fmt.Errorf("%s does not name the tokens by which this model ranks (true_token_id, false_token_id); get the checkpoint again", name)
	case c.Input != "" && c.Input != "causal_logits":
		return fmt.Errorf("%s: a score of %q is not supported", name, c.Input)
	}
	m.Score = &LogitScore{Yes: *c.Yes, No: -1}
	if c.No != nil {
		m.Score.No = *c.No
	}
	return nil
}

// maxID is beyond the ids of any vocabulary.
const maxID = 1 << 24
