import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { closeServer, listenOnLoopback } from '../../src/http-server.ts';
import { peekBody } from '../../src/permissions/peek-body.ts';

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

it('a body of unknown length is read twice', async () => {
  const url = await aServer();
  const body = new Blob(['x'.repeat(200_000)]).stream();
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(await response.json()).toEqual([200_000, 200_000]);
});

/** Sends a request over a bare connection, closes it, and returns how `peek` ends. */
async function peekedBy(peek: (request: IncomingMessage) => Promise<Buffer>, sent: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  server = createServer((request) => peek(request).then(resolve, resolve));
  const client = connect(await listenOnLoopback(server), '127.0.0.1');
  await once(client, 'connect');
  client.end(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n${sent}`);
  return promise;
}

it('a connection that closes before the end of the body is an error', async () => {
  expect(String(await peekedBy(peekBody, '{}'))).toMatch(/closed before the end of the body|aborted/);
});

it('a body that is already there is an error, not an endless wait', async () => {
  const late = async (request: IncomingMessage) => {
    await once(request, 'readable');
    return peekBody(request);
  };
  expect(String(await peekedBy(late, 'body'))).toContain("in the event 'request'");
});
