import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A request as bytes. Text is sent as Latin-1, one byte per character, so that `\xff`, NUL and line breaks stay as
 * written.
 */
export type RawRequest = {
  method?: string;
  /** The request target: path and query as sent. */
  target?: string;
  /** Sent in this order, duplicates included. `Host`, `Connection` and `Content-Length` are added if missing. */
  headers?: readonly (readonly [name: string, value: string])[];
  body?: string | Uint8Array;
};

export type RawAnswer = { status: number; headers: Record<string, string>; text: string };

/** Sends one request over its own connection, without the checks of an HTTP client. */
export async function sendRaw(baseUrl: string, request: RawRequest): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.write(headOf(request, host), 'latin1');
  socket.write(bytesOf(request.body));
  return readAnswer(await buffer(socket));
}

function headOf({ method = 'GET', target = '/', headers = [], body }: RawRequest, host: string): string {
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const hasLength = body !== undefined && !named.has('transfer-encoding');
  const added = [
    ['Host', host],
    ['Connection', 'close'],
    ...(hasLength ? [['Content-Length', String(bytesOf(body).byteLength)]] : []),
  ].filter(([name = '']) => !named.has(name.toLowerCase()));
  const lines = [...added, ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function bytesOf(body: RawRequest['body'] = ''): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}

function readAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const [, status] = statusLine.split(' ');
  return {
    status: Number(status),
    headers: Object.fromEntries(headers),
    text: bytes.subarray(end + 4).toString('utf8'),
  };
}
