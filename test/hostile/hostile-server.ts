import type { ServerResponse } from 'node:http';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';

const answers: Record<string, (response: ServerResponse, query: URLSearchParams) => void> = {
  '/text': (response) => response.end('This is no film.'),
  '/padding': (response) => response.end(Buffer.alloc(600_000)),
  '/missing': (response) => response.writeHead(404).end(),
  '/redirect': (response, query) => response.writeHead(302, { location: query.get('to') ?? '' }).end(),
  '/loop': (response) => response.writeHead(307, { location: '/loop' }).end(),
  '/compressed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  '/announced': (response) => response.writeHead(200, { 'content-length': 10_000_000_000 }).write('x'),
  '/endless': endless,
  '/endless-headers': (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\n');
    repeat(response, 1, () => response.socket?.write(`X-A: ${'a'.repeat(10_000)}\r\n`));
  },
  '/no-http': (response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'),
  '/silent': (response) => response.writeHead(200).flushHeaders(),
  '/mute': () => undefined,
  '/drip': (response) => repeat(response, 100, () => response.write('x')),
  '/half': (response) => {
    response.writeHead(200, { 'content-length': 2_000, etag: '"one"', 'accept-ranges': 'bytes' });
    response.write('x'.repeat(1_000), () => response.destroy());
  },
};

/** A server whose misbehaviour depends on the path. */
export function aHostileServer(): Promise<WebServer> {
  return aWebServer(({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://hostile');
    answers[pathname]?.(response, searchParams);
  });
}

function endless(response: ServerResponse): void {
  const block = Buffer.alloc(65_536);
  const goOn = () => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', goOn);
  goOn();
}

function repeat(response: ServerResponse, everyMs: number, work: () => void): void {
  const timer = setInterval(work, everyMs);
  response.on('close', () => clearInterval(timer));
}
