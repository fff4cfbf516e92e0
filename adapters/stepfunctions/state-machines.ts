import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  ListExecutionsCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  SFNServiceException,
  StartExecutionCommand,
  StopExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { canonicalJson } from '@media-jobs/video/values';
import type { TaskCallbacks } from '../../core/jobs/chunked-ports.ts';
import type { JobStateMachine, PoolMachine } from '../../core/jobs/ports.ts';
import { isThrottling } from '../../core/net/aws-failure.ts';

export function jobStateMachine<Input>(client: SFNClient, stateMachineArn: string): JobStateMachine<Input> {
  const arnOf = (name: string) => `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  const describe = (name: string) => client.send(new DescribeExecutionCommand({ executionArn: arnOf(name) }));
  return {
    async start({ name, input }) {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
      } catch (cause) {
        if (!(cause instanceof ExecutionAlreadyExists)) throw cause;
        // Step Functions rejects the name of an ended execution whatever its input.
        const existing = await describe(name);
        if (existing.input === undefined || canonicalJson(JSON.parse(existing.input)) !== canonicalJson(input))
          throw cause;
      }
    },
    async stop(name) {
      await client.send(new StopExecutionCommand({ executionArn: arnOf(name) })).catch(valueIfMissing(undefined));
    },
    async isRunning(name) {
      try {
        return (await describe(name)).status === 'RUNNING';
      } catch (cause) {
        if (cause instanceof SFNServiceException && isThrottling(cause)) return undefined;
        return valueIfMissing(false)(cause);
      }
    },
  };
}

/** The executions that run tasks of the pool. None has an input, so an ended one of the same name is the same. */
export function poolStateMachine(client: SFNClient, stateMachineArn: string): PoolMachine {
  return {
    async start(name) {
      await client.send(new StartExecutionCommand({ stateMachineArn, name, input: '{}' })).catch((cause: unknown) => {
        if (!(cause instanceof ExecutionAlreadyExists)) throw cause;
      });
    },
    async countRunning(max) {
      const list = new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING', maxResults: max });
      return (await client.send(list)).executions?.length ?? 0;
    },
  };
}

/** Returns `value` if the execution does not exist; rethrows other errors. */
function valueIfMissing<Value>(value: Value): (cause: unknown) => Value {
  return (cause) => {
    if (cause instanceof ExecutionDoesNotExist) return value;
    throw cause;
  };
}

/** The executions of a state machine by their names, which are used once. */
export function namedExecutions(client: SFNClient, stateMachineArn: string) {
  return {
    start: async ({ name, input }: { name: string; input: object }): Promise<'started' | 'exists'> => {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
        return 'started';
      } catch (cause) {
        if (cause instanceof ExecutionAlreadyExists) return 'exists';
        throw cause;
      }
    },
  };
}

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
