# A device and a judge of python-fido2: reads an origin, then ceremonies, a line of JSON each, and says what
# a browser would send for them and whether Fido2Server accepts it. A part may be made wrong.
import json
import os
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.server import Fido2Server
from fido2.utils import sha256
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialCreationOptions,
    PublicKeyCredentialRequestOptions,
    PublicKeyCredentialRpEntity,
    RegistrationResponse,
)

origin = sys.stdin.readline().strip()
host = origin.removeprefix("https://")
judge = Fido2Server(
    PublicKeyCredentialRpEntity(id=host, name=host), verify_origin=lambda one: one == origin
)
key = ec.generate_private_key(ec.SECP256R1())
FLAG = AuthenticatorData.FLAG
known = None
user = None
counter = 0


def client_data(kind, options, wrong):
    return CollectedClientData.create(
        kind,
        os.urandom(32) if wrong == "challenge" else options.challenge,
        "https://evil.example" if wrong == "origin" else origin,
    )


def flags(wrong, more=0):
    return FLAG.UP | more | (0 if wrong == "verified" else FLAG.UV)


def create(options, wrong):
    public = ES256.from_cryptography_key(key.public_key())
    data = AttestedCredentialData.create(Aaguid.NONE, os.urandom(32), public)
    said = AuthenticatorData.create(sha256(options.rp.id.encode()), flags(wrong, FLAG.AT), 0, data)
    response = AuthenticatorAttestationResponse(
        client_data=client_data(CollectedClientData.TYPE.CREATE, options, wrong),
        attestation_object=AttestationObject.create("none", said, {}),
    )
    return RegistrationResponse(raw_id=data.credential_id, response=response), data


def get(options, wrong):
    global counter
    counter += 1
    client = client_data(CollectedClientData.TYPE.GET, options, wrong)
    said = AuthenticatorData.create(sha256(options.rp_id.encode()), flags(wrong), counter)
    signed = said + client.hash + (b"!" if wrong == "signature" else b"")
    response = AuthenticatorAssertionResponse(
        client_data=client,
        authenticator_data=said,
        signature=key.sign(signed, ec.ECDSA(hashes.SHA256())),
        user_handle=user,
    )
    return AuthenticationResponse(raw_id=known.credential_id, response=response)


def accepts(check, *arguments):
    try:
        check(*arguments)
        return True
    except ValueError:
        return False


for line in sys.stdin:
    asked = json.loads(line)
    public_key, wrong = asked["options"]["publicKey"], asked["wrong"]
    state = {
        "challenge": public_key["challenge"],
        "user_verification": "required",
    }
    if "pubKeyCredParams" in public_key:
        options = PublicKeyCredentialCreationOptions.from_dict(public_key)
        answer, new = create(options, wrong)
        accepted = accepts(judge.register_complete, state, dict(answer))
        if accepted:
            known, user = new, options.user.id
    else:
        options = PublicKeyCredentialRequestOptions.from_dict(public_key)
        answer = get(options, wrong)
        accepted = accepts(judge.authenticate_complete, state, [known], dict(answer))
    print(json.dumps({"credential": dict(answer), "accepted": accepted}), flush=True)
