#!/bin/sh
# Starts a program, normally Node with the Lambda runtime client, with AWS credentials in a pipe on descriptor 3 instead
# of its environment: every process of the same user can read /proc/<pid>/environ. Its last argument is the handler, which
# the runtime client reads from _HANDLER; Lambda sets that for its own runtimes only. On Fargate the credentials are served
# under a path that nobody can guess: the path goes through the pipe.
for handler; do :; done
export _HANDLER="${_HANDLER:-$handler}"
export LAMBDA_TASK_ROOT="${LAMBDA_TASK_ROOT:-/var/task}"
exec 3<<CREDENTIALS
AWS_ACCESS_KEY_ID=$AWS_ACCESS_KEY_ID
AWS_SECRET_ACCESS_KEY=$AWS_SECRET_ACCESS_KEY
AWS_SESSION_TOKEN=$AWS_SESSION_TOKEN
AWS_CONTAINER_CREDENTIALS_RELATIVE_URI=$AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
AWS_CONTAINER_CREDENTIALS_FULL_URI=$AWS_CONTAINER_CREDENTIALS_FULL_URI
CREDENTIALS
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
unset AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI
# Lambda may name descriptor 3 here, as a pipe for logs: the runtime client then writes to standard output instead.
unset _LAMBDA_TELEMETRY_LOG_FD
unset ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4 ECS_AGENT_URI
exec "$@"
