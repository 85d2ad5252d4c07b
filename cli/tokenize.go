package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/plain"
)

func tokenizeCommand() command {
	return command{
		name: "tokenize", args: "[TEXT]", about: "Show the tokens of a text or of a chat, or the text of token ids",
		setup: func(f *flags) action {
			f.StringVar(&f.model, "model", library.StarterEmbed, "`MODEL`: "+modelForms)
			decode := f.String("decode", "", "turn token `IDS` back into text")
			noSpecial := f.Bool("no-special", false, "leave out control tokens such as [CLS]")
			chat := f.Bool("chat-template", false, "the prompt that the model's chat template makes of messages, given as JSON on standard input")
			var ids []int32
			f.require(func(args []string) (err error) {
				if ids, err = parseIDs("decode", *decode); err != nil {
					return err
				}
				if len(ids) > 0 && len(args) > 0 {
					return fmt.Errorf("--decode takes ids, and %q is a text; give one of the two", args[0])
				}
				if *chat && (len(ids) > 0 || len(args) > 0 || *noSpecial) {
					return errors.New("--chat-template reads messages from standard input; it goes with neither a text, --decode nor --no-special")
				}
				if len(args) > 1 {
					return fmt.Errorf("%q is one text too many; put a text with spaces in quotes", args[1])
				}
				return nil
			})
			return func(ctx context.Context, c *call) error {
				if *chat {
					return renderChat(ctx, c, f.model)
				}
				if len(ids) > 0 {
					return decodeIDs(ctx, c, f.model, ids, *noSpecial)
				}
				return tokenize(ctx, c, f.model, *noSpecial)
			}
		},
	}
}

const chatForms = `[{"role": "user", "content": "Hello"}] or {"messages": [...], "tools": [...], "add_generation_prompt": false}`

type chatJSON struct {
	Text string  `json:"text"`
	IDs  []int32 `json:"ids"`
}

// renderChat prints the prompt that the model would get, ending where its
// answer begins unless the messages say otherwise.
func renderChat(ctx context.Context, c *call, model string) error {
	if isTerminal(c.stdin) {
		return WrongUsage("there are no messages; give them as JSON on standard input: %s", chatForms)
	}
	got, err := c.RenderChat(ctx, texts.ChatRequest{Model: model, Messages: c.stdin})
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(chatJSON{got.Text, append([]int32{}, got.IDs...)})
	}
	c.printText(got.Text)
	return nil
}

type tokensJSON struct {
	IDs     []int32  `json:"ids"`
	Tokens  []string `json:"tokens"`
	Offsets [][2]int `json:"offsets"`
}

func tokenize(ctx context.Context, c *call, model string, noSpecial bool) error {
	text, err := c.text()
	if err != nil {
		return err
	}
	if text == "" {
		return WrongUsage("there is no text to tokenize; give one")
	}
	got, err := c.Tokenize(ctx, texts.TokenizeRequest{Model: model, Text: text, NoSpecial: noSpecial})
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(tokensJSON{
			append([]int32{}, got.IDs...), append([]string{}, got.Tokens...), append([][2]int{}, got.Offsets...),
		})
	}
	for i, id := range got.IDs {
		c.printf("%7d  %5d–%-5d  %s\n", id, got.Offsets[i][0], got.Offsets[i][1], plain.Line(got.Tokens[i], 60))
	}
	return nil
}

// text returns the argument, or all of standard input without its last line end.
func (c *call) text() (string, error) {
	if len(c.args) > 0 {
		return c.args[0], nil
	}
	if isTerminal(c.stdin) {
		return "", WrongUsage("there is no text; give one as an argument or on standard input")
	}
	data, err := io.ReadAll(c.stdin)
	if err != nil {
		return "", fmt.Errorf("standard input cannot be read: %w", err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
}

func decodeIDs(ctx context.Context, c *call, model string, ids []int32, noSpecial bool) error {
	text, err := c.Detokenize(ctx, model, ids, noSpecial)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(map[string]string{"text": text})
	}
	c.printText(text + "\n")
	return nil
}
