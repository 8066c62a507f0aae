# A program that checks attestations with PyJWT. Reads the URL of the keys, the issuer and a token,
# then more tokens, and says what it found in each, in a line of JSON.
import json
import sys

import jwt

keys, issuer = (sys.stdin.readline().strip() for _ in range(2))
client = jwt.PyJWKClient(keys)
for line in sys.stdin:
    token = line.strip()
    try:
        key = client.get_signing_key_from_jwt(token)
        claims = jwt.decode(
            token,
            key,
            algorithms=["ES256"],
            issuer=issuer,
            options={"require": ["iss", "sub", "iat", "exp"]},
        )
        found = {
            "typ": jwt.get_unverified_header(token)["typ"],
            "sub": claims["sub"],
            "mean": claims["ratings"]["mean"],
        }
    except jwt.PyJWTError as error:
        found = {"refused": type(error).__name__}
    print(json.dumps(found), flush=True)
