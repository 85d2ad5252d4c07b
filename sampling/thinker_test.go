package sampling

import (
	"math/rand/v2"
	"testing"
)

func TestThinker(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ name, prompt, reply, thinking, answer string }{
		{"no block", "Hi", "Hello there", "", "Hello there"},
		{"empty", "Hi", "", "", ""},
		{"block", "Hi", "<think>\nHm, a\n\ngreeting.\n</think>\n\nHello\n", "Hm, a\n\ngreeting.", "Hello\n"},
		{"white space before", "Hi", "\n <think>a</think>b", "a", "b"},
		{"white space and no block", "Hi", "\n b", "", "\n b"},
		{"empty block", "Hi", "<think>\n\n</think>\n\nb", "", "b"},
		{"other tags", "Hi", "<thinking>a</think> </thinking>b", "a</think>", "b"},
		{"Magistral", "Hi", "[THINK]a[/THINK]b", "a", "b"},
		{"Command A", "Hi", "<|START_THINKING|>a<|END_THINKING|>b", "a", "b"},
		{"Gemma 4", "Hi", "<|channel>thought\nHm.\n<channel|>b", "Hm.", "b"},
		{"Gemma 4, told not to think", "Hi<|channel>thought\n<channel|>", "b", "", "b"},
		{"Gemma 4, an empty thought", "Hi", "<|channel>thought\n<channel|>b", "", "b"},
		{"Seed-OSS", "Hi", "<seed:think>a</seed:think>b", "a", "b"},
		{"MiniMax M3", "Hi", "<mm:think>a</mm:think>b", "a", "b"},
		{"Apertus", "Hi", "<|inner_prefix|>a<|inner_suffix|>b", "a", "b"},
		{"opened by the prompt", "Hi<think>\n", "a</think>b", "a", "b"},
		{"opened by both", "Hi<think>\n", "<think>\na</think>b", "a", "b"},
		{"opened by the prompt, another tag", "<think>", "<thinking>a</think>b", "<thinking>a", "b"},
		{"closed by the prompt", "<think>\n\n</think>\n\n", "b", "", "b"},
		{"never closed", "Hi", "<think>a b </thin", "a b </thin", ""},
		{"never closed, white space", "<think>", "a\n", "a", ""},
		{"opened by the prompt, nothing came", "<think>", "", "", ""},
		{"half a tag", "Hi", "<thi", "", "<thi"},
		{"half a tag after the prompt's", "<think>", "<thi", "<thi", ""},
		{"almost a tag", "Hi", "<thinks>a</thinks>", "", "<thinks>a</thinks>"},
		{"a tag in the answer", "Hi", "Use <think>x</think>.", "", "Use <think>x</think>."},
		{"a second block", "Hi", "<think>a</think>b<think>c</think>", "a", "b<think>c</think>"},
		{"almost the end", "<think>", "a </thin </think> b", "a </thin", "b"},
		{"channels", "<|start|>assistant", "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi", "Hm.", "Hi"},
		{"the final channel alone", "<|start|>assistant", "<|channel|>final<|message|>Hi", "", "Hi"},
		{"a channel that is cut off", "<|start|>assistant", "<|channel|>analysis<|message|>Hm.<|end|><|start|>", "Hm.<|end|><|start|>", ""},
		{"Hunyuan", "Hi", "<think>\na\n</think>\n<answer>\nb <answer>\n</answer>", "a", "b <answer>"},
		{"Hunyuan, told not to think", "Hi<think>\n\n</think>\n", "<answer>\nb\nc\n</answer>\n", "", "b\nc\n"},
		{"Granite 3", "Hi", "<think>a</think>\n<response> b </answer> </response>", "a", "b </answer>"},
		{"an answer cut off", "Hi", "<think>a</think><answer>b </ans", "a", "b </ans"},
		{"an empty answer", "Hi", "<think>a</think><answer>\n</answer>", "a", ""},
		{"half an answer's tag", "Hi", "<think>a</think> <answ", "a", "<answ"},
		{"half an answer's tag, told not to think", "</think>", "<answ", "", "<answ"},
		{"tags of an answer without thinking", "Hi", "<answer>b</answer>", "", "<answer>b</answer>"},
		{"letters of many bytes", "Hi", "<think>é日</think>日é", "é日", "日é"},
	} {
		for range 200 {
			thinker := NewThinker(append(ThinkingTags(), ChannelTags()...), c.prompt)
			var thinking, answer string
			collect := func(all []Segment) {
				for _, s := range all {
					if s.Thinking {
						thinking += s.Text
					} else {
						answer += s.Text
					}
					if s.Thinking && answer != "" {
						t.Errorf("%s: thinking after the answer", c.name)
					}
				}
			}
			cut := pieces(r, c.reply)
			for _, piece := range cut {
				collect(thinker.Push(piece))
			}
			collect(thinker.Flush())
			if thinking != c.thinking || answer != c.answer {
				t.Fatalf("%s: %q gives thinking %q and answer %q", c.name, cut, thinking, answer)
			}
		}
	}
}

// TestThinkerStreams: text is returned as soon as it is certain.
func TestThinkerStreams(t *testing.T) {
	thinker := NewThinker(ThinkingTags(), "")
	for _, c := range []struct{ piece, text string }{
		{" ", ""}, {"<", ""}, {"think", ""}, {">", ""}, {"\n", ""}, {"a", "a"}, {"b ", "b"}, {"c<", " c"}, {"d</think", "<d"}, {">", ""}, {"\n", ""}, {"e ", "e "}, {" ", " "},
	} {
		got := ""
		for _, s := range thinker.Push(c.piece) {
			got += s.Text
		}
		if got != c.text {
			t.Errorf("%q gives %q, want %q", c.piece, got, c.text)
		}
	}
}
