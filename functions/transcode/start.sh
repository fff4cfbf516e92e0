#!/bin/sh
# Starts the Lambda runtime client. It reads the handler from _HANDLER, which Lambda sets for its own runtimes only: for
# an image it passes the command as an argument.
export _HANDLER="${_HANDLER:-$1}"
export LAMBDA_TASK_ROOT="${LAMBDA_TASK_ROOT:-/var/task}"
exec node "$LAMBDA_TASK_ROOT/node_modules/aws-lambda-ric/index.mjs"
