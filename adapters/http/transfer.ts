import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { DownloadRequest } from '../../core/net/ports.ts';
import type { Network } from './network.ts';
import { sendRequest } from './send-request.ts';

/** What every step of a download works with. */
export type DownloadContext = {
  request: DownloadRequest;
  network: Network;
  file: FileHandle;
  signal: AbortSignal;
};

/** Asks for a URL that has been judged by its text; its address is judged here. Any answer is returned. */
export function sendGet(
  url: URL,
  { request, network, signal }: Omit<DownloadContext, 'file'>,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const { reachable, userAgent, limits } = request;
  return sendRequest(
    {
      url,
      method: 'GET',
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', ...headers },
      headMs: limits.idleMs,
      rules: { reachable, connectMs: limits.connectMs, signal },
    },
    network,
  );
}
