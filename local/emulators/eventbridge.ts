import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import type { EventBuses } from '../events.ts';
import { closeServer } from '../http-server.ts';
import { serveOnLoopback } from '../own-requests.ts';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import type { Emulator } from './emulator.ts';
import type { Traffic } from './traffic.ts';

/** The EventBridge endpoint. Buses are those of the template. */
export type EventBridge = Emulator & { serve(events: EventBuses): void };

const entrySchema = z.strictObject({
  Detail: jsonText(z.unknown()),
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
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const operation = String(request.headers['x-amz-target']).replace('AWSEvents.', '');
    const { status, body } = handle(operation, await text(request), events);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  guard.watch('eventbridge', server);
  traffic.watch('eventbridge', server);
  const port = await serveOnLoopback(server, { pages: 'none' });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    serve(buses) {
      events = buses;
    },
    stop: () => closeServer(server),
  };
}

function handle(
  operation: string,
  json: string,
  events: EventBuses | undefined,
): { status: number; body: object } {
  try {
    if (operation !== 'PutEvents' || events === undefined) {
      throw new Error(`${operation} is not supported here`);
    }
    const { Entries } = putEventsSchema.parse(JSON.parse(json));
    const published = Entries.map(({ EventBusName, Source, DetailType, Detail }) => ({
      EventId: events.publish({
        busName: EventBusName,
        source: Source,
        detailType: DetailType,
        detail: Detail,
      }),
    }));
    return { status: 200, body: { FailedEntryCount: 0, Entries: published } };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return { status: 400, body: { __type: 'ValidationException', message } };
  }
}
