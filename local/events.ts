import { randomUUID } from 'node:crypto';
import type { Log } from './log.ts';

/** An event that was put on a bus. */
export type PublishedEvent = {
  id: string;
  busName: string;
  source: string;
  detailType: string;
  detail: unknown;
};

/** The event buses of the stage. Nothing listens here: what is published is logged, and can be asked for. */
export type EventBuses = {
  /** @returns the event's id */
  publish(event: Omit<PublishedEvent, 'id'>): string;
  /** Everything published so far, oldest first. */
  published(): readonly PublishedEvent[];
};

// Enough for every test; an endless stage must not grow.
const mostKept = 1000;

/** @param busNames the buses of the template; publishing to any other fails, as on AWS */
export function eventBuses(busNames: readonly string[], log: Log): EventBuses {
  const kept: PublishedEvent[] = [];
  return {
    publish(event) {
      if (![...busNames, 'default'].includes(event.busName)) {
        throw new Error(`Event bus ${event.busName} is not in the template; it has: ${busNames.join(', ')}.`);
      }
      const published = { id: randomUUID(), ...event };
      kept.push(published);
      if (kept.length > mostKept) kept.shift();
      log('events', `${event.detailType} from ${event.source} on ${event.busName}`);
      return published.id;
    },
    published: () => [...kept],
  };
}
