# Signs and verifies by the library of Standard Webhooks: one JSON object in, one out.
import json
import sys
from datetime import datetime, timezone

from standardwebhooks import Webhook

given = json.load(sys.stdin)
webhook = Webhook(given["secret"])
at = datetime.fromtimestamp(given["timestamp"], timezone.utc)
signed = webhook.sign(given["id"], at, given["body"])
try:
    webhook.verify(given["body"], given["headers"])
    verified = True
except Exception:
    verified = False
json.dump({"signed": signed, "verified": verified}, sys.stdout)
