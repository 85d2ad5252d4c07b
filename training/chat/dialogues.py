"""Make the text and the dialogues that starter-chat learns from.

usage: dialogues.py CORPORA STSB_TRAIN_TSV EMBEDDER OUT DIALOGUES [SEED]

Writes OUT/text.txt (documents, "\\n<|doc|>\\n" between them) and OUT/dialogues.jsonl (a list of [role, text] a line).
"""
import json
import multiprocessing
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import guide
import passages
import related
import rephrase
import stories
import world
from prepare import SENTENCE_END, asked, blocks, clean, records, wikitext

SYSTEMS = ["You are a helpful assistant.", "Answer shortly.", "You are a friendly guide.", "Answer in one sentence.", "Use simple words.", "Answer from the passage."]
SHARES = {"app": 0.33, "talk": 0.05, "world": 0.17, "passage": 0.38, "story": 0.035, "rephrase": 0.035}
HEARD = 0.3        # so many texts a dialogue that nobody replies to: their meaning is learnt
# Requests of clinc-intents that guide.txt and talk.txt answer: the intent, and a question of the topic.
INTENTS = {"greeting": "hello", "goodbye": "bye", "thank_you": "thank you", "tell_joke": "tell me a joke", "what_is_your_name": "who are you", "are_you_a_bot": "who are you",
           "how_old_are_you": "how old are you", "what_can_i_ask_you": "what can you do", "who_made_you": "who made you", "yes": "ok", "no": "no",
           "what_are_your_hobbies": "how old are you", "where_are_you_from": "how old are you", "do_you_have_pets": "how old are you", "who_do_you_work_for": "who made you"}
UNCLEAR = {"repeat", "maybe", "cancel", "reset_settings", "change_ai_name", "change_language", "change_accent", "change_speed", "change_volume", "change_user_name", "user_name",
           "whisper_mode", "sync_device", "fun_fact"}
TALKATIVE = {"greetings.yml", "conversations.yml", "botprofile.yml", "ai.yml", "emotion.yml", "humor.yml", "computers.yml", "tech_support.yml", "gossip.yml"}


def read_corpora(folder):
    """(documents, sentence runs, requests of people, [(intent, text)], written passages)"""
    documents, runs, requests, intents, written = [], [], [], [], {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jsonl.zst"):
            continue
        source = name.removesuffix(".jsonl.zst")
        for r in records(os.path.join(folder, name)):
            if "intent" in r:
                intents.append((r["intent"], r["text"]))
            elif source == "chatterbot-en":
                if os.path.basename(r["file"]) not in TALKATIVE:
                    requests.append(r["turns"][0])
            elif "turns" in r:
                turns = [t["text"] if isinstance(t, dict) else t for t in r["turns"]]
                documents.append("\n".join(turns))
            elif source == "p3-permissive":
                add_written(r, written, requests)
                documents.append(r["prompt"] + "\n" + r["completion"].replace("<|endoftext|>", ""))
            elif "completion" in r:
                request = r.get("prompt") or r.get("instruction", "") + ("\n" + r["input"] if r.get("input") else "")
                requests.append(request)
                documents.append(request + "\n" + r["completion"])
            elif "text" in r:
                text = wikitext(r["text"]) if source.startswith("wikitext") else r["text"]
                prose = [line for heading, line in blocks(clean(text)) if not heading and len(line) > 60]
                documents += pieces(prose)
                for line in prose:
                    run = [s for s in SENTENCE_END.split(line) if 20 < len(s) < 300 and s[-1] in ".!?" and "<" not in s and "|" not in s]
                    if len(run) >= 3:
                        runs.append(run)
    return documents, runs, requests, intents, sorted(written.values())


def pieces(prose, size=6000):
    """Paragraphs in documents of some thousand characters."""
    out, held = [], []
    for line in prose:
        held.append(line)
        if sum(map(len, held)) > size:
            out.append("\n".join(held))
            held = []
    return out + ["\n".join(held)] if held else out


def add_written(r, written, requests):
    template, prompt, answer = str(r.get("template")), r["prompt"], r["completion"].replace("<|endoftext|>", "").strip()
    if template.startswith("kilt_tasks_hotpotqa_straigh"):
        requests.append(prompt)
    if template == "commonsense_qa_answer_given_question_without_options":
        requests.append(prompt.split("\n", 1)[-1])
    if not (found := asked(r)):
        return
    question, passage = found
    sentences = SENTENCE_END.split(passage)
    at = [i for i, s in enumerate(sentences) if answer and answer.lower() in s.lower()]
    if len(at) == 1 and len(sentences[at[0]]) < 320:
        i = at[0]
        first = max(0, i - hash_of(question) % 4)
        written[(passage[:80], question)] = (" ".join(sentences[first:first + 7]), question, sentences[i])


def hash_of(text):
    return sum(map(ord, text))


class Mixer:
    def __init__(self, corpora, stsb, like):
        _, runs, requests, intents, written = corpora
        self.guide = guide.Guide()
        self.passages = passages.Passages(runs, written, like)
        answers = {q: a for topics in (self.guide.topics, self.guide.talk) for a, questions in topics for q in questions}
        self.intents = [(text, answers[INTENTS[i]]) for i, text in intents if i in INTENTS]
        requests = [r for r in requests if len(r) < 400] + [t for i, t in intents if i not in INTENTS and i not in UNCLEAR]
        self.world = world.World(requests)
        self.runs = runs
        self.pairs = [(a, b) for a, b in stsb if a != b]
        self.sentences = [s for run in runs for s in run if 25 < len(s) < 130 and "\"" not in s and rephrase.rewrite(s)]

    def talk(self, rng):
        """[(request, reply)] of one kind."""
        kind = rng.choices(list(SHARES), SHARES.values())[0]
        return self.passages.talk(rng) if kind == "passage" else [self.exchange(rng, kind)]

    def exchange(self, rng, kind):
        if kind == "app":
            return self.guide.about_app(rng)
        if kind == "talk":
            if rng.random() < 0.35:
                text, answers = rng.choice(self.intents)
                return guide.dress(rng, text), rng.choice(answers)
            return self.guide.small_talk(rng)
        if kind == "world":
            return self.world.ask(rng, guide)
        if kind == "story":
            return stories.story(rng)
        if rng.random() < 0.15 and self.pairs:
            a, b = rng.choice(self.pairs)
            return rephrase.ask(rng, a), b
        while True:
            s = rng.choice(self.sentences)
            if rng.random() < 0.6 and not rephrase.clauses(s):      # sentences whose clauses can be turned are rarer
                continue
            return rephrase.ask(rng, s), rephrase.rewrite(s)

    def dialogue(self, rng):
        turns = []
        if rng.random() < HEARD:
            return [["user", rng.choice(rng.choice(self.runs)) if rng.random() < 0.7 else rng.choice(self.world.requests)]]
        if rng.random() < 0.12:
            turns.append(["system", rng.choice(SYSTEMS)])
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
            for request, reply in self.talk(rng):
                turns += [["user", request], ["assistant", reply]]
        return turns


MIXER = None


def some(job):
    seed, n = job
    rng = random.Random(seed)
    return [json.dumps(MIXER.dialogue(rng), ensure_ascii=False) for _ in range(n)]


def main():
    global MIXER
    folder, stsb_path, embedder, out, count = sys.argv[1:6]
    seed = int(sys.argv[6]) if len(sys.argv) > 6 else 0
    os.makedirs(out, exist_ok=True)
    corpora = read_corpora(folder)
    stsb = [line.rstrip("\n").split("\t") for line in open(stsb_path, encoding="utf-8")]
    stsb = [(r[3], r[4]) for r in stsb[1:] if len(r) == 5 and float(r[2]) >= 4.6]
    print(len(corpora[0]), "documents,", len(corpora[1]), "runs,", len(corpora[2]), "requests,", len(corpora[4]), "written passages,", len(stsb), "pairs", flush=True)
    documents = corpora[0]
    random.Random(seed).shuffle(documents)
    with open(f"{out}/text.txt", "w", encoding="utf-8") as f:
        f.write("\n<|doc|>\n".join(documents))
    MIXER = Mixer(corpora, stsb, related.Related(embedder, corpora[1]))
    jobs = [(seed * 1000003 + i, 500) for i in range(int(count) // 500)]
    with multiprocessing.get_context("fork").Pool() as pool, open(f"{out}/dialogues.jsonl", "w", encoding="utf-8") as f:
        for lines in pool.imap(some, jobs):
            f.write("\n".join(lines) + "\n")
    print("dialogues", len(jobs) * 500, flush=True)


if __name__ == "__main__":
    main()
