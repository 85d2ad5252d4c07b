"""Sentences put into other words, by rules: words of the same meaning, and clauses in another order."""
import re

SAME = [line.split("/") for line in """
big/large
small/little
fast/quick
quickly/fast
begin/start
began/started
begins/starts
finish/end
finished/ended
buy/purchase
bought/purchased
help/assist
helped/assisted
show/display
shows/displays
shown/displayed
often/frequently
needed/required
got/received
gave/handed
happy/glad
sad/unhappy
child/kid
children/kids
house/home
road/street
car/vehicle
cars/vehicles
choose/pick
chose/picked
almost/nearly
maybe/perhaps
many/a lot of
several/some
important/essential
difficult/hard
easy/simple
beautiful/lovely
afraid/scared
angry/cross
answer/reply
answered/replied
ask/request
fix/repair
fixed/repaired
shop/store
wrong/incorrect
rich/wealthy
sick/ill
speak/talk
spoke/talked
think/believe
thinks/believes
thought/believed
try/attempt
tried/attempted
used/employed
build/construct
built/constructed
in order to/to
because of/due to
however/but
therefore/so
whole/entire
usually/mostly
film/movie
garden/yard
picture/image
journey/trip
job/task
work/labour
boat/ship
forest/woods
stone/rock
teacher/tutor
doctor/physician
evening/night
quiet/silent
strange/odd
clever/smart
""".strip().split("\n")]
ONE_WAY = ("in order to", "however", "because of", "house", "therefore")     # what these become means more than one thing
OTHER = {}
for a, b in SAME:
    OTHER.setdefault(a, b)
    if a not in ONE_WAY:
        OTHER.setdefault(b, a)
ASK = ["say this in other words: {x}", "rephrase this: {x}", "rephrase: {x}", "put this into other words: {x}", "rewrite this sentence: {x}", "paraphrase: {x}",
       "can you say this differently? {x}", "please rewrite: {x}", "how else can i say this: {x}", "reword this: {x}", "write this in another way: {x}",
       "rephrase the sentence \"{x}\"", "in other words: {x}", "express this differently: {x}"]
PHRASE = re.compile(r"\b(" + "|".join(sorted(map(re.escape, OTHER), key=len, reverse=True)) + r")\b")


def clauses(s):
    """The sentence with its clauses in another order, or None."""
    body = s.rstrip(".")
    low = lambda t: t if re.match(r"(I\b|I'|[A-Z]\w* [A-Z])", t) else t[:1].lower() + t[1:]
    if m := re.fullmatch(r"((?:The|A|We|He|She|They|It|You|I|My|Our|Their|His|Her)\b[^,;]{8,80}) (because|when|after|before|while|if|although) ([^,;]{8,80})", body):
        return f"{m[2].capitalize()} {m[3]}, {low(m[1])}."
    if m := re.fullmatch(r"(Because|When|After|Before|While|If|Although) ([^,;]{8,80}), ([^,;]{8,80})", body):
        return f"{m[3][:1].upper()}{m[3][1:]} {m[1].lower()} {m[2]}."
    if m := re.fullmatch(r"([^,;]{8,80}), but ([^,;]{8,80})", body):
        return f"Although {low(m[1])}, {m[2]}."
    if m := re.fullmatch(r"([^,;]{8,80}), so ([^,;]{8,80})", body):
        return f"Because {low(m[1])}, {m[2]}."
    if m := re.fullmatch(r"There (?:is|are) ((?:a|an|some|many|two|three|no) [^,;]{3,40}) (in|on|under|near|behind) (the|a|my|our) ([^,;]{3,30})", body):
        return f"{m[2].capitalize()} {m[3]} {m[4]} you find {m[1]}."
    return None


def rewrite(s):
    """The sentence in other words, or None where no rule applies."""
    exchanged = PHRASE.sub(lambda m: OTHER[m.group()], s)
    turned = clauses(exchanged)
    result = turned or exchanged
    return result if result != s else None


def ask(rng, sentence):
    request = rng.choice(ASK).format(x=sentence)
    return request[:1].upper() + request[1:] if rng.random() < 0.6 else request
