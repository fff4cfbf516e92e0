import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { downloadInput } from '../../../adapters/http/download-input.ts';
import { downloads } from './builders/downloads.ts';
import { answerHead } from './builders/file-server.ts';
import { aNetworkThatResolves } from './builders/networks.ts';
import { anHttpServer } from './builders/servers.ts';

const { path, aDownload } = downloads();

const hosts = ['files.test', 'cdn.files.test', 'other.test', 'one.co.uk', 'two.co.uk'];

/** One server under all these names. A hop sets cookies and redirects. Returns the cookies of each request. */
async function cookiesOn(hops: Record<string, { to: string; cookies: string[] }>, start: string) {
  const seen: string[] = [];
  const port = await anHttpServer((request, response) => {
    const { host = '', cookie = '' } = request.headers;
    const at = host.replace(/:\d+/, '') + request.url;
    seen.push(`${at} ${cookie}`.trim());
    const hop = hops[at];
    if (hop === undefined) return response.end('file');
    const location = hop.to.startsWith('/') ? hop.to : `http://${hop.to.replace('/', `:${port}/`)}`;
    return response.writeHead(302, { location, 'set-cookie': hop.cookies }).end();
  });
  const network = aNetworkThatResolves(Object.fromEntries(hosts.map((name) => [name, ['127.0.0.1']])));
  const url = `http://${start.replace('/', `:${port}/`)}`;
  await downloadInput(aDownload({ url }), network);
  return seen;
}

it('a gate that sets a cookie and redirects to itself lets the download through', async () => {
  const port = await anHttpServer((request, response) =>
    request.headers.cookie === 'pass=1; also=2'
      ? response.end('file')
      : response.writeHead(302, { location: '/a.mp4', 'set-cookie': ['pass=1; Path=/', 'also=2; HttpOnly'] }).end(),
  );
  await downloadInput(aDownload({ url: `http://127.0.0.1:${port}/a.mp4` }));
  expect(await readFile(path(), 'utf8')).toBe('file');
});

it('a cookie goes to its host and, with a Domain, to the hosts below it, never to another site', async () => {
  const cookies = ['own=1', 'all=2; Domain=files.test', 'foreign=3; Domain=other.test', 'every=4; Domain=test'];
  const seen = await cookiesOn(
    {
      'files.test/1': { to: 'cdn.files.test/2', cookies },
      'cdn.files.test/2': { to: 'other.test/3', cookies: [] },
      'other.test/3': { to: 'files.test/4', cookies: ['theirs=5'] },
    },
    'files.test/1',
  );
  expect(seen).toEqual(['files.test/1', 'cdn.files.test/2 all=2', 'other.test/3', 'files.test/4 own=1; all=2']);
});

it('a cookie for a public suffix is refused', async () => {
  const seen = await cookiesOn(
    { 'one.co.uk/1': { to: 'two.co.uk/2', cookies: ['all=1; Domain=co.uk'] } },
    'one.co.uk/1',
  );
  expect(seen).toEqual(['one.co.uk/1', 'two.co.uk/2']);
});

it('a cookie keeps to its path, to https and to its life', async () => {
  const cookies = ['a=1; Path=/in', 'b=2; Secure', 'c=3; Max-Age=0', 'd=4; Max-Age=60', '=; ;;; broken'];
  const seen = await cookiesOn(
    { 'files.test/1': { to: '/out', cookies }, 'files.test/out': { to: '/in/x', cookies: ['d=; Max-Age=-1'] } },
    'files.test/1',
  );
  expect(seen).toEqual(['files.test/1', 'files.test/out d=4', 'files.test/in/x a=1']);
});

it('two downloads share no cookies', async () => {
  const cookies: unknown[] = [];
  const port = await anHttpServer((request, response) => {
    cookies.push(request.headers.cookie);
    response.setHeader('set-cookie', 'a=1').end('file');
  });
  for (const name of ['/1', '/2']) await downloadInput(aDownload({ url: `http://127.0.0.1:${port}${name}` }));
  expect(cookies).toEqual([undefined, undefined]);
});

it('a download that is resumed sends the cookies of its redirects', async () => {
  const file = randomBytes(100_000);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const { start, end } = answerHead({ request, response }, file);
    if (start > 0) return response.end(file.subarray(start, end));
    return response.write(file.subarray(0, 50_000), () => request.socket.destroy());
  };
  const port = await anHttpServer((request, response) => {
    if (request.url === '/') return response.writeHead(302, { location: '/f', 'set-cookie': 'a=1' }).end();
    return request.headers.cookie === 'a=1' ? serve(request, response) : response.writeHead(403).end();
  });
  const network = aNetworkThatResolves({});
  await downloadInput(aDownload({ url: `http://127.0.0.1:${port}/` }), network);
  expect((await readFile(path())).equals(file)).toBe(true);
});
