import {
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import type { TaskCallbacks } from '../../core/jobs/chunked-ports.ts';

/** Quota of Step Functions for the cause of a failure, in characters. */
const maxCauseLength = 32_768;

export function taskCallbacks(client: SFNClient): TaskCallbacks {
  return {
    async succeed(taskToken) {
      await client.send(new SendTaskSuccessCommand({ taskToken, output: '{}' })).catch(ignoreEnded);
    },
    async fail(taskToken, { name, message }) {
      const cause = message.slice(0, maxCauseLength);
      await client.send(new SendTaskFailureCommand({ taskToken, error: name, cause })).catch(ignoreEnded);
    },
  };
}

/** The execution has ended, or another delivery of the message has answered. */
function ignoreEnded(cause: unknown): void {
  if (!(cause instanceof TaskTimedOut || cause instanceof TaskDoesNotExist)) throw cause;
}
