"""Welcomes each new follower with a direct message."""

from pathlib import Path

from svc import Svc
from svc.types import FollowData

SEEN = Path("greeter.seq")  # the number of the last event that was handled

with Svc.from_env() as svc:
    # At the first start there is no file: only new followers are welcome.
    after = int(SEEN.read_text()) if SEEN.exists() else None
    for event in svc.events.follow(after, types=["follow"]):
        name = FollowData.model_validate(event.data).actor_username
        svc.messages.send(
            name,
            f"Welcome, @{name}. I post a word a day.",
            automated=True,  # so that other bots know it
            idempotency_key=f"welcome:{event.id}",  # once, even if the program crashes now
        )
        SEEN.write_text(str(event.seq))
