import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  ListExecutionsCommand,
  type SFNClient,
  SFNServiceException,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { canonicalJson } from '@media-jobs/video/values';
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
        if (!isSame(existing.input, input)) throw cause;
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

function isSame(stored: string | undefined, input: unknown): boolean {
  return stored !== undefined && canonicalJson(JSON.parse(stored)) === canonicalJson(input);
}

/** Returns `value` if the execution does not exist; rethrows other errors. */
function valueIfMissing<Value>(value: Value): (cause: unknown) => Value {
  return (cause) => {
    if (cause instanceof ExecutionDoesNotExist) return value;
    throw cause;
  };
}
