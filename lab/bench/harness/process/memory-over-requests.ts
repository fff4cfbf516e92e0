import { randomUUID } from 'node:crypto';
import { anApiKeyOf } from '../../../../test/builders/stage/an-api-key.ts';
import { createJobSandbox } from '../stage/create-job-sandbox.ts';
import type { HostedStage } from '../stage/hosted-stage.ts';
import { processWith, residentBytes } from './process-memory.ts';

export type Requests = {
  /** The number of requests in all. */
  requests: number;
  /** The number of warm-up requests at the start. */
  warmUps: number;
  /** The number of requests that are measured, after the warm-up and at the end. */
  watched: number;
};

/** The sizes of one sandbox in bytes: once it is warm, and at the end. */
export type Sizes = { warm: number[]; last: number[] };

const requestsPerSample = 50;

/** An owner may have 1,000 unfinished jobs, and each submission counts those that it has. */
const requestsPerOwner = 500;

/** Submits jobs to one sandbox of create-job in sequence, and samples its resident memory. */
export async function memoryOverRequests(
  stage: HostedStage,
  { requests, warmUps, watched }: Requests,
  onRequests?: (made: number, bytes: number) => void,
): Promise<Sizes> {
  const logStream = `memory-${stage.baseUrl}`;
  const start = await createJobSandbox(stage, { logStream });
  await using sandbox = await start();
  const id = processWith({ AWS_LAMBDA_LOG_STREAM_NAME: logStream });
  const sizes: Sizes = { warm: [], last: [] };
  let apiKey = stage.apiKey;
  for (let made = 0; made < requests; ) {
    if (made % requestsPerOwner === 0) apiKey = await anApiKeyOf(stage, randomUUID());
    for (let count = 0; count < requestsPerSample; count++) await sandbox.submit(apiKey);
    made += requestsPerSample;
    const bytes = residentBytes(id, 'now');
    if (made > warmUps && made <= warmUps + watched) sizes.warm.push(bytes);
    if (made > requests - watched) sizes.last.push(bytes);
    if (made % (requests / 20) === 0) onRequests?.(made, bytes);
  }
  return sizes;
}
