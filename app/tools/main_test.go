package tools

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// acting is the variable that makes this test program a tool server.
const acting = "INGLENOOK_TOOL_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(acting) {
	case "":
		goleak.VerifyTestMain(m)
	case "silent":
		time.Sleep(time.Hour)
	case "dies":
		fmt.Fprintln(os.Stderr, "first line\nno licence \x1b[31mfound")
		os.Exit(3)
	case "floods":
		line := []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 1<<16) + "\"}}\n")
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				os.Exit(0)
			}
		}
	case "garbage":
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Println("Welcome to my server!")
		time.Sleep(time.Hour)
	default:
		serve(os.Getenv(acting))
	}
}

// serve is a server with tools of every kind.
func serve(kind string) {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	object := map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}}}
	add := func(name, description string, run func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		s.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: object}, run)
	}
	say := func(text string) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	}
	description := "Says the same again."
	if kind == "changed" {
		description = "Says something else."
	}
	add("echo", description, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say(string(r.Params.Arguments) + os.Getenv("EXTRA"))
	})
	add("big", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say(strings.Repeat("é", 5<<20))
	})
	add("huge", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say(strings.Repeat("x", 20<<20))
	})
	add("hidden", "un\u202Eseen", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say("a\x1b[2Jb\u202Ec\x00")
	})
	add("hangs", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { select {} })
	add("ends", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(2)
		return nil, nil
	})
	add("floods", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		line := append(bytes.Repeat([]byte(" "), 1<<20), '\n')
		for {
			_, _ = os.Stdout.Write(line)
		}
	})
	add("fails", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such city"}}}, nil
	})
	add("picture", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: make([]byte, 3000), MIMEType: "image/png"}}}, nil
	})
	add("odd name!", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("fine") })
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
