import * as z from 'zod';
import type { EventBuses } from '../events.ts';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import { type Emulator, EmulatorError } from './emulator.ts';
import { startJsonEndpoint } from './start-endpoint.ts';
import type { Traffic } from './traffic.ts';

/** The EventBridge endpoint. Buses are those of the template. */
export type EventBridge = Emulator & { serve(events: EventBuses): void };

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('Must be JSON');
    return z.NEVER;
  }
});

const entrySchema = z.strictObject({
  Detail: json,
  DetailType: z.string(),
  EventBusName: z.string(),
  Source: z.string(),
});

/** At most 10 entries (EventBridge API Reference, PutEvents). */
const putEventsSchema = z.strictObject({ Entries: z.array(entrySchema).min(1).max(10) });

/** Starts an endpoint for PutEvents (AWS JSON 1.1 protocol). */
export async function startEventBridge(
  traffic: Traffic,
  guard: PermissionGuard = permissionGuard(),
): Promise<EventBridge> {
  let events: EventBuses | undefined;
  const emulator = await startJsonEndpoint(
    { service: 'eventbridge', traffic, guard },
    { version: '1.1', handle: (operation, body) => handle(operation, body, events) },
  );
  return {
    ...emulator,
    serve(buses) {
      events = buses;
    },
  };
}

function handle(operation: string, body: string, events: EventBuses | undefined): object {
  if (operation !== 'PutEvents' || events === undefined) {
    throw new EmulatorError('UnknownOperationException', `${operation} is not supported here`);
  }
  const { Entries } = putEventsSchema.parse(JSON.parse(body));
  const published = Entries.map(({ EventBusName, Source, DetailType, Detail }) => ({
    EventId: events.publish({
      busName: EventBusName,
      source: Source,
      detailType: DetailType,
      detail: Detail,
    }),
  }));
  return { FailedEntryCount: 0, Entries: published };
}
