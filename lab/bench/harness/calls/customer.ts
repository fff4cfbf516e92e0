import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';

/** The source of a job's input and the receiver of its webhook. */
export type Customer = { inputUrl: string; webhookUrl: string; close(): Promise<void> };

/** Serves the file once `ready` resolves, and answers 204 to every webhook. */
export async function aCustomer(path: string, ready: Promise<void>): Promise<Customer> {
  const { size } = await stat(path);
  const send = async (response: ServerResponse) => {
    await ready;
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
    createReadStream(path).pipe(response);
  };
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST') request.once('end', () => response.writeHead(204).end());
    else void send(response);
  });
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return { inputUrl: `${origin}/in.mp4`, webhookUrl: `${origin}/hook`, close: () => closeServer(server) };
}
