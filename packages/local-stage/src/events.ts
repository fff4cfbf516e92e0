import { randomUUID } from 'node:crypto';
import { EmulatorError } from './emulators/emulator-error.ts';
import type { Log } from './log.ts';

export type PublishedEvent = {
  id: string;
  busName: string;
  source: string;
  detailType: string;
  detail: unknown;
};

/** The event buses of the stage. They have no rules: published events are logged and kept for tests. */
export type EventBuses = {
  /** @returns the event id */
  publish(event: Omit<PublishedEvent, 'id'>): string;
  /** All events so far, oldest first. */
  published(): readonly PublishedEvent[];
};

// Bounds the memory of a stage that runs for long.
const maxKeptEvents = 1000;

/** @param busNames the buses of the template. Publishing to another bus throws, as on AWS. */
export function eventBuses(busNames: readonly string[], log: Log): EventBuses {
  const kept: PublishedEvent[] = [];
  return {
    publish(event) {
      if (![...busNames, 'default'].includes(event.busName)) {
        const message = `Event bus ${event.busName} is not in the template. It has: ${busNames.join(', ')}.`;
        throw new EmulatorError('ValidationException', message);
      }
      const published = { id: randomUUID(), ...event };
      kept.push(published);
      if (kept.length > maxKeptEvents) kept.shift();
      log('events', `${event.detailType} from ${event.source} on ${event.busName}`);
      return published.id;
    },
    published: () => [...kept],
  };
}
