// @module-tag nightly
import { createServer, type RequestListener } from 'node:http';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';
import { afterUse } from '@media-jobs/testing/after-use';
import { describe, expect, it } from 'vitest';
import { openLoop } from '../../../bench/harness/api/open-loop.ts';

async function aServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  afterUse(() => closeServer(server));
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

const post = { method: 'POST' as const, headers: { 'x-sent': 'yes' }, body: 'body' };

describe('load at a fixed rate', () => {
  it('makes rate times seconds requests, with one connection for each request of a second', async () => {
    const seen: unknown[] = [];
    const url = await aServer((request, response) => {
      seen.push([request.method, request.headers['x-sent'], request.socket.remotePort]);
      response.end();
    });
    const times = await openLoop({ request: { url, ...post }, rate: 5, seconds: 2 });
    expect(times).toHaveLength(10);
    expect(seen).toHaveLength(10);
    expect(new Set(seen.map(String)).size).toBe(5);
    expect(seen[0]).toEqual(['POST', 'yes', expect.any(Number)]);
  });

  it('is an error if a response has a failure status', async () => {
    const url = await aServer((_, response) => response.writeHead(503).end());
    const load = { request: { url, ...post }, rate: 1, seconds: 1 };
    await expect(openLoop(load)).rejects.toThrow('1 refusals');
  });

  it('is an error if a response delays the next request', async () => {
    const url = await aServer((_, response) => setTimeout(() => response.end(), 1_050));
    const load = { request: { url, ...post }, rate: 1, seconds: 1 };
    await expect(openLoop(load)).rejects.toThrow('the rate was not kept');
  });
});
