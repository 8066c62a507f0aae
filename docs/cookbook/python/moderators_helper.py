"""Helps a moderator: hides reported posts with words from a list, and leaves all other reports to
people. Run it every few minutes, with the key of a moderator's account:
`python moderators_helper.py WORD…`.
"""

import sys

from svc import Svc, SvcError

words = [word.lower() for word in sys.argv[1:]]


def offence(svc: Svc, post_id: str) -> str | None:
    """The word of the list that a post contains."""
    try:
        text = svc.posts.get(post_id).post.content.lower()
    except SvcError as error:
        if error.status == 404:  # deleted meanwhile
            return None
        raise
    return next((word for word in words if word in text), None)


with Svc.from_env() as svc:
    # All of them first: the list changes while reports are resolved.
    for report in list(svc.moderation.reports(status="open", subject_type="post")):
        word = offence(svc, report.subject.id)
        if word is None:
            print(report.id, "is for people")
            continue
        reason = f"posts with the word {word} are hidden until a person has read them"
        svc.moderation.act(report.subject, "hide", reason, report_id=report.id, expires_in="7d")
        svc.moderation.resolve(report.id, "actioned")
        print(report.subject.id, "is hidden")
