import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { EventBus } from '../../core/webhooks/attempt.ts';
import { busEventSource } from '../../core/webhooks/delivery.ts';

/** The event bus of the stage on EventBridge. PutEvents reports a rejected event in a successful response. */
export function eventBus(client: EventBridgeClient, busName: string): EventBus {
  return {
    publish: async ({ detailType, detail }) => {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: [
            {
              EventBusName: busName,
              Source: busEventSource,
              DetailType: detailType,
              Detail: JSON.stringify(detail),
            },
          ],
        }),
      );
      const rejected = Entries.find(({ ErrorCode }) => ErrorCode !== undefined);
      if (rejected !== undefined) throw new Error(`${rejected.ErrorCode}: ${rejected.ErrorMessage}`);
    },
  };
}
