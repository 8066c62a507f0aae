# A website that signs people in with Authlib, unchanged: code flow, ID token, userinfo, refresh.
# Reads the server, its client id and its secret; says where to send the person, reads where the
# person came back to, and says what it learned, in a line of JSON each.
import json
import sys

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet

root, client_id, secret, done = (sys.stdin.readline().strip() for _ in range(4))
server = requests.get(f"{root}/.well-known/openid-configuration").json()
session = OAuth2Session(
    client_id,
    secret,
    scope="openid profile read",
    redirect_uri=done,
    code_challenge_method="S256",
)
verifier = "a-verifier-of-forty-three-characters-or-more"
url, state = session.create_authorization_url(
    server["authorization_endpoint"], code_verifier=verifier, nonce="n1"
)
print(json.dumps(url), flush=True)

back = sys.stdin.readline().strip()
token = session.fetch_token(
    server["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
)
keys = KeySet.import_key_set(requests.get(server["jwks_uri"]).json())
decoded = jwt.decode(token["id_token"], keys, algorithms=["ES256"])
options = {"iss": {"essential": True, "value": root}}
claims = CodeIDToken(decoded.claims, decoded.header, options, {"nonce": "n1", "client_id": client_id})
claims.validate()
info = session.get(server["userinfo_endpoint"]).json()
renewed = session.refresh_token(server["token_endpoint"])
me = session.get(f"{root}/api/users/me").json()
said = {
    "sub": claims["sub"],
    "name": claims["preferred_username"],
    "info": info["sub"],
    "me": me["user"]["username"],
    "rotated": renewed["refresh_token"] != token["refresh_token"],
}
print(json.dumps(said), flush=True)
