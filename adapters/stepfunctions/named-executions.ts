import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';

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
