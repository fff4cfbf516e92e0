import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type AdmittedPages, closeServer, isLoopbackOrigin, serveOnLoopback } from '@media-jobs/local-stage/http';
import { startRuntimeApi } from '@media-jobs/local-stage/lambda';
import { afterUse } from '@media-jobs/testing/after-use';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../lib/build/paths.ts';
import { sendRaw } from '../hostile/raw-request.ts';

/** Sends a request to a server that answers 204 to every request it admits. */
async function statusFrom(pages: AdmittedPages, headers: (port: number) => [string, string][]): Promise<number> {
  const server = createServer((_, response) => response.writeHead(204).end());
  afterUse(() => closeServer(server));
  const port = await serveOnLoopback(server, { pages });
  const { status } = await sendRaw(`http://127.0.0.1:${port}`, { target: '/', headers: headers(port) });
  return status;
}

describe('a server of the local stage', () => {
  it.each<[string, (port: number) => [string, string][]]>([
    ['its address', (port) => [['Host', `127.0.0.1:${port}`]]],
    ['its name', (port) => [['Host', `localhost:${port}`]]],
  ])('answers requests to %s', async (_, headers) => expect(await statusFrom('none', headers)).toBe(204));

  it.each<[string, (port: number) => [string, string][]]>([
    ['a name that resolves to this machine', (port) => [['Host', `evil.example:${port}`]]],
    ['its address without the port', () => [['Host', '127.0.0.1']]],
    ['another port', (port) => [['Host', `127.0.0.1:${port + 1}`]]],
    ['an address that begins as its own', (port) => [['Host', `127.0.0.1:${port}.evil.example`]]],
    ['no name', () => [['Host', '']]],
    [
      'two names',
      (port) => [
        ['Host', `127.0.0.1:${port}`],
        ['Host', 'evil.example'],
      ],
    ],
  ])('rejects requests to %s', async (_, headers) => expect([400, 403]).toContain(await statusFrom('any', headers)));

  it.each<[AdmittedPages, string | undefined, number]>([
    ['none', undefined, 204],
    ['none', 'http://127.0.0.1:3000', 403],
    ['any', 'https://evil.example', 204],
    [isLoopbackOrigin, undefined, 204],
    [isLoopbackOrigin, 'http://localhost:3000', 204],
    [isLoopbackOrigin, 'https://evil.example', 403],
    [isLoopbackOrigin, 'http://127.0.0.1.evil.example', 403],
    [isLoopbackOrigin, 'null', 403],
  ])('that admits the pages %s answers a page of %s with %i', async (pages, origin, status) => {
    const headers = (port: number): [string, string][] => [
      ['Host', `127.0.0.1:${port}`],
      ...(origin === undefined ? [] : ([['Origin', origin]] satisfies [string, string][])),
    ];
    expect(await statusFrom(pages, headers)).toBe(status);
  });

  it('for programs answers no image or link of a page, which has no Origin', async () => {
    const image = (port: number): [string, string][] => [
      ['Host', `127.0.0.1:${port}`],
      ['Sec-Fetch-Site', 'cross-site'],
    ];
    expect(await statusFrom('none', image)).toBe(403);
  });
});

it('the Runtime API of a sandbox answers neither pages nor rebound host names', async () => {
  const api = await startRuntimeApi({ onReady() {}, onInitError() {}, onResult() {} });
  onTestFinished(() => api.close());
  const next = '/2018-06-01/runtime/invocation/next';
  for (const headers of [
    [
      ['Host', api.address],
      ['Origin', 'https://evil.example'],
    ],
    [
      ['Host', api.address],
      ['Sec-Fetch-Site', 'cross-site'],
    ],
    [['Host', `evil.example:${api.address.split(':')[1]}`]],
  ] as [string, string][][]) {
    expect(await sendRaw(`http://${api.address}`, { target: next, headers })).toMatchObject({ status: 403 });
  }
});

it.each<[AdmittedPages, string | null]>([
  ['none', null],
  [isLoopbackOrigin, null],
  ['any', 'timeout=5'],
])('a server that admits the pages %s announces the idle time-out %s', async (pages, timeout) => {
  const server = createServer((_, response) => response.writeHead(204).end());
  afterUse(() => closeServer(server));
  const port = await serveOnLoopback(server, { pages });
  const { headers } = await fetch(`http://127.0.0.1:${port}`);
  expect(headers.get('keep-alive')).toBe(timeout);
});

it('every server of the local stage is started with these checks', async () => {
  const directory = join(root, 'packages/local-stage/src');
  const files = (await readdir(directory, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const starting = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(directory, file), 'utf8') })),
  );
  const unchecked = starting
    .filter(({ text }) => /\.listen\(|listenOnLoopback\(/.test(text))
    .filter(({ text }) => !/rejectForeignRequests\(/.test(text));
  expect(unchecked.map(({ file }) => file)).toEqual([]);
});
