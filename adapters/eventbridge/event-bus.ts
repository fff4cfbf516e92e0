import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { busEventSource, type EventBus } from '../../core/webhooks/delivery.ts';
import { clientSettings } from '../runtime/clients/client-settings.ts';

// An event is published as well as it can be: no delivery waits for the end of an outage of the bus.
const { retryStrategy: _, ...settings } = clientSettings;

export const eventBridge = new EventBridgeClient(settings);

/** The event bus of the stage on EventBridge. PutEvents reports a rejected event in a successful response. */
export function eventBus(client: EventBridgeClient, busName: string): EventBus {
  return {
    publish: async ({ detailType, detail }) => {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: [
            { EventBusName: busName, Source: busEventSource, DetailType: detailType, Detail: JSON.stringify(detail) },
          ],
        }),
      );
      const rejected = Entries.find(({ ErrorCode }) => ErrorCode !== undefined);
      if (rejected !== undefined) throw new Error(`${rejected.ErrorCode}: ${rejected.ErrorMessage}`);
    },
  };
}
