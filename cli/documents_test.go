package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"inglenook/app"
	"inglenook/assets"
)

// inOneHome runs subcommands that share one home.
func inOneHome(t *testing.T) func(args ...string) outcome {
	t.Helper()
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	home := t.TempDir()
	return func(args ...string) outcome {
		t.Helper()
		return runWith(t, context.Background(), strings.NewReader(""), func(o app.Options) (App, error) {
			o.Home = home
			return app.New(o)
		}, args...)
	}
}

// letters returns a folder with three files, one of which has no text.
func letters(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lease.md":  "# Lease\n\nThe tenant may end this contract with sixty days of notice.\n\n## Animals\n\nOne small dog is allowed.\n",
		"boat.txt":  "The blue boat was painted in May and lies in the harbour.\n",
		"empty.txt": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestIndexAndSearch(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	first := run("index", dir, "--collection", "Letters")
	if first.code != 0 || !strings.Contains(first.stdout, "Letters: 2 read, 1 without text to index.") || !strings.Contains(first.stderr, "empty.txt: it is empty") {
		t.Fatalf("code %d, output %q, error output %q", first.code, first.stdout, first.stderr)
	}
	if again := run("index", "--collection", "letters").ok(t); !strings.Contains(again.stdout, "Letters: 3 unchanged.") {
		t.Errorf("output %q", again.stdout)
	}
	found := decode[searchJSON](t, run("search", "--json", "--top", "1", "how long before moving out must I tell the landlord").ok(t).stdout)
	if len(found.Results) != 1 || found.Results[0].Path != filepath.Join(dir, "lease.md") || !strings.Contains(found.Results[0].Text, "sixty days") || found.Timings.SearchMS <= 0 {
		t.Errorf("%+v", found)
	}
	plain := run("search", "--explain", "--type", "txt", "boat").ok(t).stdout
	if !strings.Contains(plain, "1. "+filepath.Join(dir, "boat.txt")+", line 1\n") || !strings.Contains(plain, "by words rank 1") || strings.Contains(plain, "lease") {
		t.Errorf("%s", plain)
	}
	nothing := run("search", "--mode", "keyword", "zeppelin").ok(t).stdout
	if said := " of 2 files (Letters). 1 file is not searched; inglenook collections list says why.\n"; nothing != "Nothing was found in 2 passages"+said && nothing != "Nothing was found in 3 passages"+said {
		t.Errorf("%q", nothing)
	}
}

// TestSearchWithRerank: the passages are read once more, and why they stand where they
// do is told.
func TestSearchWithRerank(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	if ran := run("index", dir); ran.code != 0 {
		t.Fatal(ran.stderr)
	}
	reranker, err := filepath.Abs("../pipeline/testdata/rerank-bert")
	if err != nil {
		t.Fatal(err)
	}
	got := decode[searchJSON](t, run("search", "--json", "--rerank", reranker, "a dog or a boat").stdout)
	if got.Rerank == nil || got.Rerank.Model != reranker || got.Rerank.Method != "cross-encoder" || got.Rerank.Untrusted == "" || got.Rerank.Read != len(got.Results) || got.Rerank.Of != got.Rerank.Read ||
		got.Rerank.BudgetMS != 1000 || got.Timings.RerankMS <= 0 || got.Rerank.Device == "" {
		t.Fatalf("%+v", got.Rerank)
	}
	places := 0
	for i, r := range got.Results {
		if r.Scores.Rerank == nil || *r.Scores.Rerank <= 0 || *r.Scores.Rerank >= 1 {
			t.Errorf("%+v", r.Scores)
		}
		if places += r.Scores.RankBefore; i > 0 && r.Score > got.Results[i-1].Score {
			t.Errorf("result %d scores more than the one before", i)
		}
	}
	if n := len(got.Results); n < 2 || places != n*(n+1)/2 {
		t.Errorf("%d results were in places that add up to %d", n, places)
	}
	plain := run("search", "--explain", "--rerank", "starter-embed", "dog")
	if !strings.Contains(plain.stdout, "; by reading ") || !strings.Contains(plain.stderr, "starter-embed read ") || !strings.Contains(plain.stderr, "(at most 1s)") {
		t.Errorf("%s%s", plain.stdout, plain.stderr)
	}
	if got := decode[searchJSON](t, run("search", "--json", "dog").ok(t).stdout); got.Rerank != nil || got.Results[0].Scores.Rerank != nil {
		t.Errorf("without a reranker: %+v", got)
	}
	for model, want := range map[string]string{"starter-chat": "is a language model", filepath.Join(dir, "none"): "none"} {
		if ran := run("search", "--rerank", model, "dog"); ran.code != 1 || !strings.Contains(ran.stderr, want) || ran.stdout != "" {
			t.Errorf("%s: code %d, %q", model, ran.code, ran.stderr)
		}
	}
}

func TestIndexEvents(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	out := lines(run("index", "--json", dir).ok(t).stdout)
	var kinds []string
	for _, line := range out[:len(out)-1] {
		kinds = append(kinds, decode[indexEvent](t, line).Event)
	}
	if kinds[0] != "planned" || strings.Count(strings.Join(kinds, " "), "file") != 3 {
		t.Errorf("%q", kinds)
	}
	done := decode[indexDone](t, out[len(out)-1])
	if done.Event != "done" || done.Collection != "Documents" || done.Indexed != 2 || done.Skipped != 1 || done.Model != "starter-embed" || done.Device == "" || done.Tokens == 0 {
		t.Errorf("%+v", done)
	}
}

func TestCollections(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	if got := run("collections", "list").ok(t).stdout; !strings.Contains(got, "Nothing is indexed yet") {
		t.Errorf("%q", got)
	}
	if got := run("search", "boat").ok(t).stdout; !strings.Contains(got, "There is nothing to search yet") {
		t.Errorf("%q", got)
	}
	for _, name := range []string{".hidden", ".secrets"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run("index", dir, "--collection", "Letters", "--exclude", "boat*")
	if got := run("collections", "list").ok(t).stdout; !strings.Contains(got, "    2 more things were left out, such as hidden files") {
		t.Errorf("%q", got)
	}
	list := decode[[]collectionJSON](t, run("collections", "list", "--json").ok(t).stdout)
	if len(list) != 1 || list[0].Name != "Letters" || list[0].Files != 1 || list[0].Chunks == 0 || list[0].Embedder != "starter-embed" || list[0].LeftOut != 2 ||
		len(list[0].NotIndexed) != 1 || list[0].NotIndexed[0].State != "skipped" || list[0].Folders[0].Exclude[0] != "boat*" {
		t.Errorf("%+v", list)
	}
	for line, want := range map[string]string{
		"search|boat|--collection|Papers": `there is no collection "Papers"; there are: Letters`,
		"collections|remove|Papers":       `there is no collection "Papers"`,
		"index|--collection|Papers":       `there is no collection "Papers"`,
		"index|no such folder":            "there is no file or folder",
		"search|--type|pdf|boat":          "no indexed file ends in .pdf",
		"search|--in|/no/such|boat":       "there is no folder /no/such",
	} {
		if o := run(strings.Split(line, "|")...); o.code != 1 || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: code %d, error output %q; want %q", line, o.code, o.stderr, want)
		}
	}
	if got := run("collections", "remove", "Letters").ok(t).stdout; !strings.Contains(got, "The index of Letters is deleted") {
		t.Errorf("%q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "lease.md")); err != nil {
		t.Error(err)
	}
}

// A sign or an emoji is searched for by its meaning, as a word is; nothing is not.
func TestSearchForSigns(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	run("index", dir)
	for _, sign := range []string{"🐕", "?!", "§", "→", "🚢⛵"} {
		if o := run("search", sign); o.code != 0 || !strings.Contains(o.stdout, "1. ") {
			t.Errorf("%s: %+v", sign, o)
		}
	}
	for _, nothing := range []string{"", " ", `""`, "“ ”", "\u3000"} {
		if o := run("search", nothing); o.code != 2 || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%q: %+v", nothing, o)
		}
	}
}

// A folder that is gone is no success, and what was indexed of it is found all the same.
func TestIndexOfAFolderThatIsGone(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	run("index", dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	o := run("index", "--json")
	done := decode[indexDone](t, lines(o.stdout)[len(lines(o.stdout))-1])
	if o.code != 1 || !strings.Contains(o.stderr, "nothing could be reached") || done.Lost != 1 || done.Files != 0 {
		t.Errorf("%+v", o)
	}
	if found := run("search", "boat"); found.code != 0 || !strings.Contains(found.stdout, "boat.txt") {
		t.Errorf("%+v", found)
	}
}

// Passages with the same text, of files that are not the same, are one result.
func TestSearchShowsSameTextOnce(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	for i := range 12 {
		text := "The harbour office is open from nine to noon.\n" + strings.Repeat("\n", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("hours-%d.txt", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run("index", dir)
	const question = "when is the harbour office open"
	found := decode[searchJSON](t, run("search", "--json", "--top", "2", question).ok(t).stdout)
	if len(found.Results) != 2 || found.Results[0].Copies != 11 || found.Results[1].Text == found.Results[0].Text {
		t.Errorf("%+v", found.Results)
	}
	if plain := run("search", question).ok(t).stdout; !strings.Contains(plain, "   and in 11 more passages with the same text\n") {
		t.Error(plain)
	}
}

// For a locked file the output says that it needs its password, or that the password is wrong.
// With the right one the file is found.
func TestIndexWithPassword(t *testing.T) {
	data, err := os.ReadFile("../documents/extract/testdata/locked-aes-256.pdf")
	if err != nil {
		t.Fatal(err)
	}
	run, dir := inOneHome(t), t.TempDir()
	path := filepath.Join(dir, "secret.pdf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run("index", dir); got.code != 1 || !strings.Contains(got.stderr, "nothing could be read: 1 file failed") || !strings.Contains(got.stderr, "it is locked with a password. Give its password") {
		t.Errorf("error output %q", got.stderr)
	}
	if got := run("index", dir, "--collection", " "); got.code != 2 || !strings.Contains(got.stderr, "--collection is empty") {
		t.Errorf("exit code %d, %s", got.code, got.stderr)
	}
	if got := run("index", dir, "--password", "secret.pdf=blue"); !strings.Contains(got.stderr, "its password is another one") {
		t.Errorf("error output %q", got.stderr)
	}
	if got := run("index", dir, "--password", path+"=öpen").ok(t); !strings.Contains(got.stdout, "1 read") {
		t.Errorf("output %q, error output %q", got.stdout, got.stderr)
	}
	if found := run("search", "blue door").ok(t).stdout; !strings.Contains(found, "The secret is a blue door.") {
		t.Errorf("found %q", found)
	}
}

// Another model computes new vectors of the indexed passages, without reading the files again.
func TestIndexWithAnotherModel(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	model := filepath.Join(t.TempDir(), "other-embed")
	if err := os.CopyFS(model, assets.StarterEmbed()); err != nil {
		t.Fatal(err)
	}
	run("index", dir)
	if got := run("index", "--model", model).ok(t); !strings.Contains(got.stdout, "3 unchanged") {
		t.Errorf("output %q", got.stdout)
	}
	if got := run("collections", "list").ok(t); !strings.Contains(got.stdout, "embedded with "+model) {
		t.Errorf("output %q", got.stdout)
	}
	if got := run("search", "sixty days of notice").ok(t); !strings.Contains(got.stdout, "lease.md") {
		t.Errorf("output %q", got.stdout)
	}
}

// TestChatWithCollection: the passages come before the answer, in the form for people and as
// JSON; what the documents do not say is not asked of a model.
func TestChatWithCollection(t *testing.T) {
	run, dir := inOneHome(t), letters(t)
	if ran := run("index", dir, "--collection", "Letters"); ran.code != 0 {
		t.Fatal(ran.stderr)
	}
	question := "With how many days of notice may the tenant end this contract?"
	got := decode[chatAnswerJSON](t, run("chat", "--json", "--collection", "letters", "--temperature", "0", "--prompt", question).ok(t).stdout)
	if len(got.Passages) == 0 || !strings.Contains(got.Passages[0].Text, "sixty days") || got.Passages[0].Path != filepath.Join(dir, "lease.md") || got.Claims == nil || got.Text == "" {
		t.Fatalf("%+v", got)
	}
	for _, c := range got.Claims {
		if got.Text[c.Start:c.End] != c.Text || c.Passage >= len(got.Passages) || c.Passage < 0 && c.Why == "" {
			t.Errorf("%+v", c)
		}
	}
	plain := run("chat", "--collection", "Letters", "--temperature", "0", "--prompt", question).ok(t).stdout
	if !strings.HasPrefix(plain, "From ") || !strings.Contains(plain, "\n  [1] lease.md, line 3\n") || !strings.Contains(plain, got.Text) {
		t.Errorf("%s", plain)
	}
	nothing := decode[chatAnswerJSON](t, run("chat", "--json", "--collection", "Letters", "--prompt", "Which team won the football championship in Brazil?").ok(t).stdout)
	if nothing.FinishReason != "not found" || !strings.HasPrefix(nothing.Text, "This is not in your documents. Nothing in “Letters” answers this. Searched: 2 files.") || len(nothing.Passages) != 0 || nothing.CompletionTokens != 0 {
		t.Errorf("%+v", nothing)
	}
	// An honest "not found" is an answer: valid JSON, and no failure. It cannot keep to a schema.
	brazil := "Which team won the football championship in Brazil?"
	form := decode[map[string]string](t, run("chat", "--format", "json", "--collection", "Letters", "--prompt", brazil).ok(t).stdout)
	if len(form) != 1 || !strings.HasPrefix(form["not_found"], "This is not in your documents.") {
		t.Errorf("%+v", form)
	}
	schema := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(schema, []byte(`{"type":"object","properties":{"team":{"type":"string"}},"required":["team"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := run("chat", "--json-schema", schema, "--collection", "Letters", "--prompt", brazil); o.code != exitFailed || !strings.Contains(o.stderr, "there is no answer for the schema") {
		t.Errorf("%+v", o)
	}
	if gone := run("chat", "--collection", "Nowhere", "--prompt", question); gone.code != exitFailed || !strings.Contains(gone.stderr, `there is no collection "Nowhere"; there are: Letters; without --collection the model answers alone`) || gone.stdout != "" {
		t.Errorf("%+v", gone)
	}
	for _, wrong := range [][]string{{"--collection", " "}, {"--collection", "Letters", "--raw", "--prompt", "a"}} {
		if o := run(append([]string{"chat"}, wrong...)...); o.code != exitUsage {
			t.Errorf("%q: %+v", wrong, o)
		}
	}
}

// TestTalkWithCollection: a collection is changed in a talk, and a question is answered without
// documents where the person says so.
func TestTalkWithCollection(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	home, dir := t.TempDir(), letters(t)
	run := func(stdin string, args ...string) outcome {
		return runWith(t, context.Background(), strings.NewReader(stdin), func(o app.Options) (App, error) {
			o.Home = home
			return app.New(o)
		}, args...)
	}
	if ran := run("", "index", dir, "--collection", "Letters"); ran.code != 0 {
		t.Fatal(ran.stderr)
	}
	o := run("/collection nowhere\n/collection letters\nWho won the football championship in Brazil?\n/anyway\nWhich animals are allowed?\n/retry\n/collection\n/help\n", "chat", "--temperature", "0", "--max-tokens", "20")
	for _, want := range []string{`there is no collection "nowhere"`, "Questions are answered from Letters, 2 files.", "Questions are answered without documents.", "/collection NAME "} {
		if !strings.Contains(o.stderr, want) {
			t.Errorf("%q is missing in %s", want, o.stderr)
		}
	}
	if o.code != 0 || strings.Count(o.stdout, "This is not in your documents.") != 1 || strings.Count(o.stdout, "[1] lease.md") < 2 || strings.Count(o.stdout, "From ") != 2 {
		t.Errorf("%+v", o)
	}
}

// idleInput is what a person types in a talk: lines, then a long pause, at whose end meanwhile
// has to have happened.
type idleInput struct {
	lines     io.Reader
	meanwhile func() bool
}

func (i *idleInput) Read(p []byte) (int, error) {
	if n, err := i.lines.Read(p); n > 0 || !errors.Is(err, io.EOF) {
		return n, err
	}
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end) && !i.meanwhile(); {
		time.Sleep(50 * time.Millisecond) // an answer is still under way
	}
	return 0, io.EOF
}

// TestIdleTalk: while nobody types, another Inglenook may change the documents of a talk.
func TestIdleTalk(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	home, dir := t.TempDir(), letters(t)
	run := func(in io.Reader, args ...string) outcome {
		return runWith(t, context.Background(), in, func(o app.Options) (App, error) {
			o.Home = home
			return app.New(o)
		}, args...)
	}
	if ran := run(strings.NewReader(""), "index", dir, "--collection", "Letters"); ran.code != 0 {
		t.Fatal(ran.stderr)
	}
	var changed outcome
	talk := run(&idleInput{strings.NewReader("/collection letters\nWhich animals are allowed?\n"), func() bool {
		changed = run(strings.NewReader(""), "index", dir, "--collection", "Other")
		return changed.code == exitOK
	}}, "chat", "--temperature", "0", "--max-tokens", "20")
	if changed.code != exitOK {
		t.Errorf("the documents cannot be changed: %+v", changed)
	}
	if talk.code != exitOK || !strings.Contains(talk.stdout, "[1] lease.md") {
		t.Errorf("the talk: %+v", talk)
	}
}
