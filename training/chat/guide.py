"""Questions about the app and small talk, from guide.txt and talk.txt, in many wordings."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
TEXTS = os.path.join(HERE, "..", "..", "app", "guide")  # the program answers from them too

# The ways to begin a question. The first of each group is how guide.txt writes it.
FRAMES = [
    ("how do i ", [
        "how can i ", "how to ", "how would i ", "how could i ", "how do you ", "how does one ", "how should i ", "can you tell me how to ",
        "tell me how to ", "please tell me how to ", "show me how to ", "explain how to ", "please explain how to ", "what is the way to ",
        "what must i do to ", "what do i have to do to ", "what do i press to ", "where can i ", "where do i ", "i want to ", "i would like to ",
        "i'd like to ", "i need to ", "i am trying to ", "is it possible to ", "is there a way to ", "can i ", "could you help me ", "help me ",
        "what steps do i take to ", "do you know how to ", "i do not know how to ", "i don't know how to ", "which button lets me ", ""]),
    ("can i ", [
        "is it possible to ", "may i ", "could i ", "am i able to ", "does the app let me ", "is there a way to ", "would it be possible to ",
        "do you know if i can ", "how can i ", "am i allowed to ", "i want to know if i can ", "i'd like to "]),
    ("what is the ", ["what's the ", "tell me about the ", "explain the ", "what is meant by the ", "describe the ", "what is this ", "i do not understand the "]),
    ("what is ", [
        "what's ", "tell me what is ", "explain ", "please explain ", "what is meant by ", "can you explain ", "what exactly is ",
        "i want to know what is ", "i do not know what is ", "describe ", "tell me about ", "define "]),
    ("what are ", ["explain ", "tell me about ", "what do you mean by ", "can you explain ", "what exactly are ", "describe "]),
    ("what does ", ["can you tell me what does ", "tell me what ", "explain what ", "i wonder what ", "do you know what "]),
    ("where do i ", ["where can i ", "how do i ", "in which room do i ", "tell me where to ", "where should i ", "where would i ", "what is the place to "]),
    ("where is ", ["where's ", "where do i find ", "where can i find ", "how do i find ", "show me ", "i cannot find ", "i can't find ", "where did you put "]),
    ("where are ", ["where do i find ", "where can i find ", "how do i find ", "show me ", "i cannot find ", "in which place are "]),
    ("does it ", ["does the app ", "does inglenook ", "does this program ", "will it ", "can it ", "is it true that it can ", "can the app ", "do you know if it can "]),
    ("is it ", ["is the app ", "is inglenook ", "is this program ", "is this "]),
    ("why is ", ["why's ", "how come ", "what is the reason that ", "tell me why is ", "can you explain why is "]),
    ("why does ", ["how come ", "tell me why does ", "what is the reason why "]),
    ("why can ", ["how come ", "what is the reason why ", "tell me why can "]),
    ("which ", ["tell me which ", "what ", "do you know which ", "can you tell me which ", "i want to know which "]),
    ("show ", ["let me see ", "display ", "can you show ", "i want to see ", "please show ", "where do i see "]),
]

# Words that mean the same here. A word of a question is sometimes exchanged for another of its group.
SAME = [line.split(", ") for line in """
app, program, application, software, tool
computer, laptop, machine, pc
model, ai model, language model, llm
chat, conversation, dialogue
chats, conversations
delete, remove, erase, throw away
download, get, fetch, install
change, switch, alter, modify
search, look through, find things in, query
documents, files, papers, texts
document, file
picture, image
begin, start
stop, cancel, abort, interrupt
bigger, larger, better
folder, directory
answer, reply, response
message, prompt
graphics card, gpu, video card
gpu, graphics card, graphics processor
fast, quick, speedy
slow, sluggish
save, store, keep
compare, check
sentences, texts, phrases
internet, network, web
see, view, look at
use, run, work with
open, load
password, passphrase
room, panel, page, tab, screen
rooms, panels, pages, tabs
settings, preferences, options
export, save
shortcuts, hotkeys, key combinations
memory, ram
speed, performance
theme, colours, look
passage, place, paragraph
free, available
""".strip().split("\n")]
GROUP = {word: group for group in SAME for word in group if " " not in word}

OPENINGS = ["", "", "", "", "", "", "please ", "hi, ", "hello, ", "hey, ", "ok, ", "so ", "excuse me, ", "sorry, ", "and ", "one question: ",
            "quick question: ", "i have a question: ", "hmm, ", "well, ", "now "]
CLOSINGS = ["", "", "", "", "", "", "", " please", " in this app", " in inglenook", " here", " in the app", " on this computer", " with this program",
            ", please", " thanks", " exactly", " again"]


def read(name):
    """[(answers, questions)] of a file in the form of guide.txt."""
    topics = []
    for block in open(os.path.join(TEXTS, name), encoding="utf-8").read().split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(("#", "W "))]
        answers = [line[2:] for line in lines if line.startswith("A ")]
        if answers:
            topics.append((answers, [line for line in lines if not line.startswith("A ")]))
    return topics


def misspell(rng, text):
    """One slip of the fingers: two letters exchanged, one left out, doubled or replaced by a neighbour."""
    places = [i for i in range(1, len(text) - 1) if text[i].isalpha() and text[i + 1].isalpha()]
    if not places:
        return text
    i = rng.choice(places)
    slip = rng.randrange(3)
    if slip == 0:
        return text[:i] + text[i + 1] + text[i] + text[i + 2:]
    if slip == 1:
        return text[:i] + text[i + 1:]
    return text[:i] + text[i] + text[i:]


def reframe(rng, question):
    for start, others in FRAMES:
        if question.startswith(start):
            return rng.choice(others) + question[len(start):]
    return question


def exchange(rng, question, chance=0.15):
    words = question.split(" ")
    return " ".join(rng.choice(GROUP[w]) if w in GROUP and rng.random() < chance else w for w in words)


def drop_small_words(rng, question):
    kept = [w for w in question.split(" ") if w not in ("the", "a", "an", "do", "i", "is", "my", "of", "to") or rng.random() < 0.4]
    return " ".join(kept) if len(kept) > 1 else question


def drop_a_word(rng, question):
    words = question.split(" ")
    if len(words) > 4:
        del words[rng.randrange(len(words))]
    return " ".join(words)


def dress(rng, question):
    """Capital letters and punctuation as people write them."""
    asks = re.match(r"(how|what|where|which|why|who|can|could|does|do|is|are|may|will|am|would|should)\b", question)
    style = rng.random()
    if style < 0.25:
        return question + rng.choice(["", "", "?"])
    question = re.sub(r"\bi\b", "I", question)
    question = re.sub(r"\binglenook\b", "Inglenook", question)
    question = re.sub(r"\b(pdf|gpu|cpu|csv|json|epub|gguf|nvidia)\b", lambda m: m.group().upper(), question)
    end = rng.choice(["?", "?", "?", "", "??"]) if asks else rng.choice([".", "", "", "!"])
    return question[:1].upper() + question[1:] + end


def vary(rng, question, small_talk=False):
    if rng.random() < 0.6 and not small_talk:
        question = reframe(rng, question)
    question = exchange(rng, question, 0.08 if small_talk else 0.2)
    if not small_talk:
        if rng.random() < 0.12:
            question = drop_small_words(rng, question)
        if rng.random() < 0.25:
            question = drop_a_word(rng, question)
        question = rng.choice(OPENINGS) + question + rng.choice(CLOSINGS)
    for _ in range(rng.choice([0, 0, 0, 0, 0, 1, 1, 2])):
        question = misspell(rng, question)
    return dress(rng, question)


class Guide:
    def __init__(self):
        self.topics, self.talk = read("guide.txt"), read("talk.txt")

    def about_app(self, rng):
        answers, questions = rng.choice(self.topics)
        return vary(rng, rng.choice(questions)), rng.choice(answers)

    def small_talk(self, rng):
        answers, questions = rng.choice(self.talk)
        return vary(rng, rng.choice(questions), small_talk=True), rng.choice(answers)
