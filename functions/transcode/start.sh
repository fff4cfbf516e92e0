#!/bin/sh
# Starts a program, normally Node with the Lambda runtime client, with AWS credentials in a pipe on descriptor 3 instead
# of its environment: every process of the same user can read /proc/<pid>/environ. Its last argument is the handler, which
# the runtime client reads from _HANDLER; Lambda sets that for its own runtimes only.
for handler; do :; done
export _HANDLER="${_HANDLER:-$handler}"
export LAMBDA_TASK_ROOT="${LAMBDA_TASK_ROOT:-/var/task}"
exec 3<<CREDENTIALS
AWS_ACCESS_KEY_ID=$AWS_ACCESS_KEY_ID
AWS_SECRET_ACCESS_KEY=$AWS_SECRET_ACCESS_KEY
AWS_SESSION_TOKEN=$AWS_SESSION_TOKEN
CREDENTIALS
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
exec "$@"
