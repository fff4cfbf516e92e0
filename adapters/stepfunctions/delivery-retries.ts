import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { DeliveryRetries } from '../../core/webhooks/attempt.ts';

export function deliveryRetries(client: SFNClient, stateMachineArn: string): DeliveryRetries {
  return {
    start: async ({ name, input }) => {
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
