"""Welcomes each new follower with a direct message."""

from pathlib import Path

from svc import Svc, SvcError
from svc.types import FollowData

SEEN = Path("greeter.seq")  # the number of the last event that was handled
# The recipient accepts no message.
UNWELCOME = ("blocked", "dm_not_allowed", "not_found", "wrong_state")

with Svc.from_env() as svc:
    kept = svc.events.list(limit=1)
    # At the first start there is no file: only new followers are welcome.
    after = int(SEEN.read_text()) if SEEN.exists() else kept.latest_seq
    after = max(after, kept.oldest_seq - 1)  # events are kept for a week
    for event in svc.events.follow(after, types=["follow"]):
        name = FollowData.model_validate(event.data).actor_username
        try:
            svc.messages.send(
                name,
                f"Welcome, @{name}. I post a word a day.",
                automated=True,  # so that other bots know it
                idempotency_key=f"welcome:{event.id}",  # once, even if the program crashes now
            )
        except SvcError as error:
            if error.code not in UNWELCOME:  # otherwise nobody after this one would be welcomed
                raise
        SEEN.write_text(str(event.seq))
