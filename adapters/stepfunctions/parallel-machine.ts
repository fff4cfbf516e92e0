import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { ParallelMachine } from '../../core/chunking/ports.ts';

/** The executions of the state machine that encodes the parts of a job side by side. */
export function parallelMachine(client: SFNClient, stateMachineArn: string): ParallelMachine {
  const arnOf = (name: string) => `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  const describe = (name: string) => client.send(new DescribeExecutionCommand({ executionArn: arnOf(name) }));
  return {
    async start({ name, input }) {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
      } catch (cause) {
        if (!(cause instanceof ExecutionAlreadyExists)) throw cause;
        // One that has ended is refused whatever its input is.
        const existing = await describe(name);
        if (!isSame(existing.input, input)) throw cause;
      }
    },
    async stop(name) {
      await client
        .send(new StopExecutionCommand({ executionArn: arnOf(name) }))
        .catch(valueIfMissing(undefined));
    },
    isRunning: (name) => describe(name).then(({ status }) => status === 'RUNNING', valueIfMissing(false)),
  };
}

function isSame(stored: string | undefined, input: unknown): boolean {
  return stored !== undefined && canonicalJson(JSON.parse(stored)) === canonicalJson(input);
}

/** Gives `answer` for an execution that does not exist, and throws any other failure. */
function valueIfMissing<Answer>(answer: Answer): (cause: unknown) => Answer {
  return (cause) => {
    if (cause instanceof ExecutionDoesNotExist) return answer;
    throw cause;
  };
}
