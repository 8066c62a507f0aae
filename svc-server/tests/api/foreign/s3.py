"""A store that speaks S3, by moto, which checks signatures. It says where it is and whose key it knows; then, for each
prefix that it reads, the names of the objects below it, or nothing where it makes an empty one of a name that follows.
It ends with its input."""

import json
import logging
import sys

import boto3
from moto import settings
from moto.server import ThreadedMotoServer

BUCKET = "files"


def client(service, **key):
    return boto3.client(service, endpoint_url=url, region_name="us-east-1", **key)


logging.getLogger("werkzeug").disabled = True
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
url = f"http://{host}:{port}"
anybody = {"aws_access_key_id": "anybody", "aws_secret_access_key": "anything"}
client("s3", **anybody).create_bucket(Bucket=BUCKET)
iam = client("iam", **anybody)
iam.create_user(UserName="svc")
rule = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
policy = json.dumps({"Version": "2012-10-17", "Statement": [rule]})
iam.put_user_policy(UserName="svc", PolicyName="files", PolicyDocument=policy)
key = iam.create_access_key(UserName="svc")["AccessKey"]
settings.INITIAL_NO_AUTH_ACTION_COUNT = 0  # from now on
s3 = client("s3", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
known = {"address": f"{host}:{port}", "id": key["AccessKeyId"], "secret": key["SecretAccessKey"]}
print(json.dumps(known), flush=True)

for line in sys.stdin:
    prefix, *names = line.split()
    prefix += "/"
    for name in names:
        s3.put_object(Bucket=BUCKET, Key=prefix + name)
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
    objects = [found["Key"] for page in pages for found in page.get("Contents", [])]
    print(json.dumps([name.removeprefix(prefix) for name in objects]), flush=True)
