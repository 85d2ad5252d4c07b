"""How the messages of a dialogue stand in the text that starter-chat reads."""

# A user's text longer than SHORT characters stands twice, so that a passage is read once more with the question known.
# Texts from LONG characters on would take too much of the context.
SHORT, LONG = 100, 1600

TEMPLATE = ("{{ '<|endoftext|>' }}{% for message in messages %}"
            "{% if message['role'] == 'user' and message['content'] | length > SHORT and message['content'] | length < LONG %}"
            "{{ '<|user|>\\n' + message['content'] + '<|end|>\\n' }}{% endif %}"
            "{{ '<|' + message['role'] + '|>\\n' + message['content'] + '<|end|>\\n' }}{% endfor %}"
            "{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}").replace("SHORT", str(SHORT)).replace("LONG", str(LONG))


def twice(role, text):
    return role == "user" and SHORT < len(text) < LONG


def prompt(request):
    """What the model reads before it replies to one request."""
    turn = f"<|user|>\n{request}<|end|>\n"
    return "<|endoftext|>" + turn * (2 if twice("user", request) else 1) + "<|assistant|>\n"
