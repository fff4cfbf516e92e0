import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { eventBuses } from '@media-jobs/local-stage';
import { clientOptions, emulatorTraffic, startEventBridge } from '@media-jobs/local-stage/emulators';
import { expect, it, onTestFinished } from 'vitest';
import { eventBus } from '../../../adapters/eventbridge/event-bus.ts';
import { busEvent } from '../../../core/webhooks/delivery.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';

/** The adapter on an emulator with one bus, `bus`. */
async function anEventBus(busName: string) {
  const emulator = await startEventBridge(emulatorTraffic());
  onTestFinished(emulator.stop);
  const events = eventBuses(['bus'], { rules: [], send: async () => undefined }, () => undefined);
  emulator.serve(events);
  const client = new EventBridgeClient(clientOptions(emulator.endpoint));
  onTestFinished(() => client.destroy());
  return { bus: eventBus(client, busName), events };
}

it('the event of a job arrives on its bus', async () => {
  const { bus, events } = await anEventBus('bus');
  const { detailType, detail } = busEvent(aCompletedJob());
  await bus.publish({ detailType, detail });
  expect(events.published()).toMatchObject([
    { busName: 'bus', source: 'media-jobs', detailType, detail: JSON.parse(JSON.stringify(detail)) },
  ]);
});

it('an event on a bus that is not in the template is rejected', async () => {
  const { bus, events } = await anEventBus('gone');
  await expect(bus.publish(busEvent(aCompletedJob()))).rejects.toThrow('Event bus gone is not in the template');
  expect(events.published()).toEqual([]);
});
