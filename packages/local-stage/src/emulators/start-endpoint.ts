import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { closeServer, serveOnLoopback } from '../http-server.ts';
import type { PermissionGuard } from '../permissions/guard.ts';
import { type Emulator, EmulatorError } from './emulator.ts';
import type { Service, Traffic } from './traffic.ts';

type Endpoint = { service: Service; traffic: Traffic; guard: PermissionGuard };

type Answer = { status: number; contentType: string; body: string; headers?: Record<string, string> };

/** Starts the endpoint of a service of our own. */
export async function startEndpoint(
  { service, traffic, guard }: Endpoint,
  answer: (request: IncomingMessage) => Promise<Answer>,
): Promise<Emulator> {
  const server = createServer((request, response) => {
    answer(request)
      .then(({ status, contentType, body, headers }) =>
        response.writeHead(status, { 'content-type': contentType, ...headers }).end(body),
      )
      // Reading fails when a sandbox is killed during its request.
      .catch(() => response.destroy());
  });
  guard.watch(service, server);
  traffic.watch(service, server);
  const port = await serveOnLoopback(server, { pages: 'none' });
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => closeServer(server) };
}

/**
 * Starts the endpoint of a service with the AWS JSON protocol.
 *
 * @param handle returns the response of an operation such as `PutEvents`. An `EmulatorError`, a
 * `ZodError` and a `SyntaxError` become an error response; after any other error the connection is closed.
 */
export function startJsonEndpoint(
  endpoint: Endpoint,
  { version, handle }: { version: '1.0' | '1.1'; handle: (operation: string, body: string) => object },
): Promise<Emulator> {
  const contentType = `application/x-amz-json-${version}`;
  return startEndpoint(endpoint, async (request) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const json = await text(request);
    try {
      return { status: 200, contentType, body: JSON.stringify(handle(operation, json)) };
    } catch (error) {
      const { code, message } = errorResponse(error);
      return { status: 400, contentType, body: JSON.stringify({ __type: code, message }) };
    }
  });
}

function errorResponse(error: unknown): { code: string; message: string } {
  if (error instanceof EmulatorError) return error;
  if (error instanceof SyntaxError) return { code: 'SerializationException', message: error.message };
  if (error instanceof z.ZodError) return { code: 'ValidationException', message: z.prettifyError(error) };
  throw error;
}
