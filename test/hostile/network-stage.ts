import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { aRunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { aHostileServer } from './hostile-server.ts';

/** Low limits, so that endless and slow inputs reach them soon. */
export const maxBytes = 1_000_000;
export const downloadSeconds = 5;

/** `listed` is host:port of the hostile server, `port` its port, `inside` the port of the private service. */
export type Endpoints = { listed: string; port: number; inside: number };

/** A stage that resolves names by `dns-answers.ts` and whose one reachable private address is a hostile server. */
export async function aNetworkStage() {
  const [hostile, inside] = await Promise.all([aHostileServer(), aPrivateListener()]);
  const { host: listed, port } = new URL(hostile.origin);
  const { api, stop } = await aRunningStage({
    preload: fileURLToPath(new URL('preload-dns-answers.ts', import.meta.url)),
    environment: {
      REACHABLE_PRIVATE_ADDRESSES: listed,
      INPUT_LIMITS: JSON.stringify({ sizeBytes: maxBytes }),
      DOWNLOAD_TIMEOUT_SECONDS: String(downloadSeconds),
    },
  });
  const at: Endpoints = { listed, port: Number(port), inside: inside.port };
  return {
    api,
    at,
    hostile,
    inside,
    /** Submits a job and returns its id. */
    async submit(url: string, more: object = {}): Promise<string> {
      return (await submitJob(api, { input: { url }, ...more })).jobId;
    },
    ended: (jobId: string) => waitForJobEnd(api, jobId),
    async stop(): Promise<void> {
      await stop();
      await hostile.close();
      await inside.close();
    },
  };
}

export type NetworkStage = Awaited<ReturnType<typeof aNetworkStage>>;

type PrivateListener = { port: number; connections(): number; close(): Promise<void> };

/** A service of the private network that counts connections and closes them. */
async function aPrivateListener(): Promise<PrivateListener> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
