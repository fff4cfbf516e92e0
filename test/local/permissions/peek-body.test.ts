import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { closeServer, listenOnLoopback } from '../../../local/http-server.ts';
import { peekBody } from '../../../local/permissions/peek-body.ts';

let server: Server;

afterEach(() => closeServer(server));

/** A server that answers with the body's size as it was peeked at, and the body as its listener reads it afterwards. */
async function aServer(): Promise<string> {
  server = createServer((request, response) => {
    peekBody(request).then(
      async (body) => response.end(JSON.stringify([body.length, (await text(request)).length])),
      (error: Error) => response.writeHead(411).end(error.message),
    );
  });
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

it.each([0, 1, 70_000, 1_000_000])('a body of %i bytes is read twice', async (size) => {
  const url = await aServer();
  const response = await fetch(url, { method: 'POST', body: 'x'.repeat(size) });
  expect(await response.json()).toEqual([size, size]);
});

it('a body of unknown length is rejected', async () => {
  const url = await aServer();
  const body = new Blob(['{}']).stream();
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(response.status).toBe(411);
});
