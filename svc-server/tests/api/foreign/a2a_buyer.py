# A buyer that speaks A2A by a2a-sdk, unchanged: finds the agent by its signed card, orders, follows,
# cancels. Reads the server, a key, the service, and the binding; says what it saw, in a line of JSON
# each, and waits for a line where the seller has to act.
import asyncio
import json
import sys

import httpx
import jwt
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskState,
)
from a2a.utils.errors import TaskNotCancelableError, TaskNotFoundError
from a2a.utils.signing import SignatureVerificationError, create_signature_verifier
from google.protobuf.json_format import MessageToDict, ParseDict

root, key, service, binding = (sys.stdin.readline().strip() for _ in range(4))
EXTENSION = f"{root}/a2a/ext/credits/v1"


def say(value):
    print(json.dumps(value), flush=True)


def key_of(kid, jku):
    keys = httpx.get(f"{root}/.well-known/jwks.json").json()
    return jwt.PyJWKSet.from_dict(keys)[kid]


verify = create_signature_verifier(key_of, ["ES256"])


def asking(message_id, most=None):
    message = Message(message_id=message_id, role=Role.ROLE_USER)
    ParseDict({"data": {"serviceId": service, "input": {"text": "a b"}}}, message.parts.add())
    request = SendMessageRequest(message=message)
    if most is not None:
        request.message.metadata.update({EXTENSION: {"maxCredits": most}})
        request.message.extensions.append(EXTENSION)
    return request


def state(task):
    return TaskState.Name(task.status.state)


async def main():
    http = httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=20)
    resolver = A2ACardResolver(http, f"{root}/a2a/bob")
    card = await resolver.get_agent_card(signature_verifier=verify)
    forged = MessageToDict(card)
    forged["skills"][0]["name"] = forged["skills"][0]["name"].replace("w", "v")
    try:
        verify(ParseDict(forged, AgentCard()))
        say("a forged card passes")
    except SignatureVerificationError:
        say({"card": card.name, "skill": card.skills[0].id})

    def client(**options):
        config = ClientConfig(
            httpx_client=http,
            supported_protocol_bindings=[binding],
            use_client_preference=True,
            **options,
        )
        return ClientFactory(config).create(card)

    # A price without a limit is asked for.
    plain = client(streaming=False)
    async for answer in plain.send_message(asking("p-0")):
        say({"state": state(answer.task)})

    # Polling.
    polling = client(streaming=False, polling=True)
    async for answer in polling.send_message(asking("p-1", 10)):
        task = answer.task
        say({"id": task.id, "state": state(task)})
    sys.stdin.readline()
    done = await polling.get_task(GetTaskRequest(id=task.id))
    outputs = [MessageToDict(part)["data"] for it in done.artifacts for part in it.parts]
    say({"state": state(done), "outputs": outputs})

    # Waiting: the seller acts meanwhile.
    async for answer in plain.send_message(asking("p-2", 10)):
        say({"id": answer.task.id, "state": state(answer.task)})

    # A stream.
    streaming, seen = client(streaming=True), []
    async for event in streaming.send_message(asking("p-3", 10)):
        kind = event.WhichOneof("payload")
        if kind == "task":
            say({"id": event.task.id, "state": state(event.task)})
        elif kind == "artifact_update":
            part = MessageToDict(event.artifact_update.artifact.parts[0])
            seen.append(part["data"])
        else:
            seen.append(state(event.status_update))
    say(seen)

    # A subscription, and the answer to a question.
    async for answer in polling.send_message(asking("p-4", 10)):
        task = answer.task
        say({"id": task.id})
    sys.stdin.readline()
    seen = []
    async for event in streaming.subscribe(SubscribeToTaskRequest(id=task.id)):
        if event.WhichOneof("payload") == "task":
            seen.append([state(event.task), event.task.status.message.parts[0].text])
            reply = Message(message_id="p-5", role=Role.ROLE_USER, task_id=task.id)
            ParseDict({"data": {"n": 3}}, reply.parts.add())
            async for answer in polling.send_message(SendMessageRequest(message=reply)):
                seen.append(state(answer.task))
            say(seen[-1])
        else:
            seen.append(state(event.status_update))
    say(seen)

    # Cancelling: once, and not twice.
    async for answer in polling.send_message(asking("p-6", 10)):
        task = answer.task
    cancelled = await polling.cancel_task(CancelTaskRequest(id=task.id))
    said = {"id": task.id, "state": state(cancelled)}
    try:
        await polling.cancel_task(CancelTaskRequest(id=task.id))
    except TaskNotCancelableError:
        said["again"] = "TaskNotCancelableError"
    try:
        await polling.get_task(GetTaskRequest(id="msg_nothing"))
    except TaskNotFoundError:
        said["other"] = "TaskNotFoundError"
    listed = await polling.list_tasks(ListTasksRequest(status=TaskState.TASK_STATE_CANCELED))
    said["listed"] = [it.id for it in listed.tasks]
    say(said)

    # The platform, which names the card.
    own = await A2ACardResolver(http, root).get_agent_card(signature_verifier=verify)
    search = Message(message_id="s-1", role=Role.ROLE_USER, parts=[Part(text="work")])
    found = ClientFactory(ClientConfig(httpx_client=http)).create(own)
    async for answer in found.send_message(SendMessageRequest(message=search)):
        say(answer.message.parts[0].text)


asyncio.run(main())
