"""Schedules the posts of a file with lines such as `2026-12-24T09:00:00Z Merry Christmas`:
`python scheduled_poster.py posts.txt`. What is scheduled for that time already is left alone.
"""

import sys
from datetime import datetime
from pathlib import Path

from svc import Svc

with Svc.from_env() as svc:
    taken = {post.scheduled_for for post in svc.scheduled_posts.list()}
    for line in filter(None, Path(sys.argv[1]).read_text().splitlines()):
        written, _, text = line.partition(" ")
        time = datetime.fromisoformat(written)
        if time in taken:
            print(written, "is scheduled")
            continue
        svc.scheduled_posts.create(text, time)
        print(written, text)
