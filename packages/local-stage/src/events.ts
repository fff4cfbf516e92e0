import { randomUUID } from 'node:crypto';
import { account, region } from './aws-names.ts';
import { EmulatorError } from './emulators/emulator.ts';
import { matchesPattern } from './event-pattern.ts';
import type { Log } from './log.ts';
import type { EventRulePlan } from './template/stage-plan.ts';

export type PublishedEvent = {
  id: string;
  busName: string;
  source: string;
  detailType: string;
  detail: unknown;
};

/** The event buses of the stage. Published events are logged and kept for tests, and go where rules send them. */
export type EventBuses = {
  /** @returns the event id */
  publish(event: Omit<PublishedEvent, 'id'>): string;
  /** An event that a service of AWS sends to the default bus. It is neither logged nor kept: nobody here published it. */
  emit(event: Omit<PublishedEvent, 'id' | 'busName'> & { resources: string[] }): void;
  /** All events so far, oldest first. */
  published(): readonly PublishedEvent[];
};

// Bounds the memory of a stage that runs for long.
const maxKeptEvents = 1000;

export type EventRules = {
  rules: readonly EventRulePlan[];
  send(rule: EventRulePlan, queueArn: string, body: string): Promise<void>;
};

/** @param busNames the buses of the template. Publishing to another bus throws, as on AWS. */
export function eventBuses(busNames: readonly string[], { rules, send }: EventRules, log: Log): EventBuses {
  const kept: PublishedEvent[] = [];
  const route = ({ id, busName, source, detailType, detail }: PublishedEvent, resources: string[] = []) => {
    const time = `${new Date().toISOString().slice(0, 19)}Z`;
    const event = { version: '0', id, 'detail-type': detailType, source, account, time, region, resources, detail };
    for (const rule of rules.filter((one) => one.busName === busName && matchesPattern(one.pattern, event))) {
      for (const queueArn of rule.queueArns) {
        send(rule, queueArn, JSON.stringify(event)).catch((error: unknown) => log('events', String(error)));
      }
    }
  };
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
      route(published);
      return published.id;
    },
    emit({ resources, ...event }) {
      route({ id: randomUUID(), busName: 'default', ...event }, resources);
    },
    published: () => [...kept],
  };
}
