import { fileURLToPath } from 'node:url';
import { aCountingListener } from '@media-jobs/testing/counting-listener';
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
  const [hostile, inside] = await Promise.all([aHostileServer(), aCountingListener()]);
  const { host: listed, port } = new URL(hostile.origin);
  const { api } = await aRunningStage({
    preload: fileURLToPath(new URL('preload-dns-answers.ts', import.meta.url)),
    environment: {
      REACHABLE_PRIVATE_ADDRESSES: listed,
      INPUT_LIMITS: JSON.stringify({ sizeBytes: maxBytes }),
      DOWNLOAD_TIMEOUT_SECONDS: String(downloadSeconds),
    },
  });
  const at: Endpoints = { listed, port: Number(port), inside: Number(new URL(inside.url).port) };
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
  };
}

export type NetworkStage = Awaited<ReturnType<typeof aNetworkStage>>;
