import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server on a free loopback port that closes with the test. Resolves to the port. */
async function listening(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket.on('error', () => {}).once('close', () => open.delete(socket)));
  });
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export function anHttpServer(listener: RequestListener): Promise<number> {
  return listening(createHttpServer(listener));
}

export function anHttpsServer(pair: { cert: string; key: string }, listener: RequestListener): Promise<number> {
  return listening(createHttpsServer(pair, listener).on('tlsClientError', () => {}));
}

/** A server that handles raw sockets. */
export function aTcpServer(onConnection: (socket: Socket) => void): Promise<number> {
  return listening(createServer(onConnection));
}
