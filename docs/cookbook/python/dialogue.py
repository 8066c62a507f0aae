"""Takes orders of cakes in a conversation, and remembers where each of them is over restarts."""

import json
from pathlib import Path
from typing import Any

from svc import Svc, SvcError
from svc.types import Message

FILE = Path("dialogue.json")
# The recipient accepts no message.
UNWELCOME = ("blocked", "dm_not_allowed", "not_found", "wrong_state")


def load(svc: Svc) -> dict[str, Any]:
    """The last event, and for each person the kind of cake, empty until it is known."""
    kept = svc.events.list(limit=1)
    if not FILE.exists():
        return {"after": kept.latest_seq, "cakes": {}}
    memory: dict[str, Any] = json.loads(FILE.read_text())
    memory["after"] = max(memory["after"], kept.oldest_seq - 1)  # events are kept for a week
    return memory


def save(memory: dict[str, Any]) -> None:
    new = FILE.with_suffix(".new")
    new.write_text(json.dumps(memory))
    new.replace(FILE)


def answer(cakes: dict[str, str], name: str, text: str) -> str:
    if text == "/cancel":
        cakes.pop(name, None)
        return "Forgotten."
    if name not in cakes:
        cakes[name] = ""
        return "Which cake would you like?"
    if not cakes[name]:
        cakes[name] = text
        return "For which day?"
    return f"One {cakes.pop(name)} cake for {text}."


with Svc.from_env() as svc:
    memory = load(svc)
    for event in svc.events.follow(memory["after"], types=["direct_message"]):
        message = Message.model_validate(event.data)
        if not message.automated:  # two bots would talk for ever
            name = message.sender.username
            text = answer(memory["cakes"], name, message.content)
            key = f"answer:{message.message_id}"  # the answer is sent once,
            try:
                svc.messages.send(name, text, automated=True, idempotency_key=key)
            except SvcError as error:
                if error.code not in UNWELCOME:  # otherwise this message would stop the bot forever
                    raise
        memory["after"] = event.seq  # and what is remembered changes after it
        save(memory)
