import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';
import { v7 } from 'uuid';
import { type Figure, figure, quantile } from '../figures/figure.ts';
import { recordingReceiver } from './recording-receiver.ts';
import type { TerminateJob } from './terminate-job.ts';

const goals = { ofOwner: 1.5, ofOthers: 1.05 };
/** Jobs of a run, one each `paceMs`. Of four, three are of the owner that has the slow receivers. */
const [jobs, paceMs] = [120, 100];
/** A tenth of all jobs go to slow receivers of the owner: half of them hang, the others respond after nine seconds. */
const slowShare = 10;
const slowOrigins = 4;
const laggingMs = 9_000;

type Waits = { ofOwner: number[]; ofOthers: number[] };

/**
 * Waits from the end of a job to its first attempt, of receivers that respond at once: with a tenth of slow receivers, relative
 * to the same run without. Each run has new owners, since an origin stays marked as slow for ten minutes.
 */
export async function besideSlowReceivers({
  endAJob,
  pairs,
  print,
}: {
  endAJob: TerminateJob;
  pairs: number;
  print: (line: string) => void;
}): Promise<Figure[]> {
  // Starts the processes of the functions.
  await waitsOf(endAJob, { isSlow: true });
  const ratios: { ofOwner: number; ofOthers: number }[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    const isReversed = pair % 2 === 0;
    const first = await waitsOf(endAJob, { isSlow: isReversed });
    const second = await waitsOf(endAJob, { isSlow: !isReversed });
    const [alone, beside] = isReversed ? [second, first] : [first, second];
    const ratioOf = (whose: keyof Waits, q: number) => quantile(beside[whose], q) / quantile(alone[whose], q);
    const [ofOwner, ofOthers] = [ratioOf('ofOwner', 0.5), ratioOf('ofOthers', 0.5)];
    ratios.push({ ofOwner, ofOthers });
    print(`  pair ${pair} of ${pairs}: ${ofOwner.toFixed(3)}, other owners ${ofOthers.toFixed(3)}`);
  }
  return [
    figure(
      'webhooks beside slow receivers',
      ratios.map(({ ofOwner }) => ofOwner),
      goals.ofOwner,
    ),
    figure(
      'webhooks of other owners',
      ratios.map(({ ofOthers }) => ofOthers),
      goals.ofOthers,
    ),
  ];
}

async function waitsOf(endAJob: TerminateJob, { isSlow }: { isSlow: boolean }): Promise<Waits> {
  await using cleanup = new AsyncDisposableStack();
  const receiver = await recordingReceiver(() => performance.now(), 204);
  cleanup.defer(receiver.close);
  const slow: string[] = [];
  for (let n = 0; n < slowOrigins; n += 1) {
    const { url, close } = await slowReceiver(n % 2 === 0 ? undefined : laggingMs);
    cleanup.defer(close);
    slow.push(url);
  }
  const [owner, other] = [v7(), v7()];
  const waitOf = async (ownerId: string) => {
    const jobId = v7();
    const endedAt = await endAJob(jobId, receiver.urlFor(jobId), ownerId);
    const [attempt] = await receiver.attemptsAt(jobId, 1);
    return { ownerId, waitMs: (attempt?.arrivedAt ?? Number.NaN) - endedAt };
  };
  const measured: ReturnType<typeof waitOf>[] = [];
  for (let n = 0; n < jobs; n += 1) {
    const url = slow[n % slowOrigins] ?? '';
    if (isSlow && n % slowShare === 0) await endAJob(v7(), url, owner);
    else measured.push(waitOf(n % 4 === 3 ? other : owner));
    await setTimeout(paceMs);
  }
  const waits = await Promise.all(measured);
  const of = (id: string) => waits.filter(({ ownerId }) => ownerId === id).map(({ waitMs }) => waitMs);
  return { ofOwner: of(owner), ofOthers: of(other) };
}

/** A receiver on the loopback interface that responds after `delayMs`, or never. */
async function slowReceiver(delayMs: number | undefined): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    if (delayMs === undefined) return;
    const timer = globalThis.setTimeout(() => response.writeHead(204).end(), delayMs);
    response.once('close', () => clearTimeout(timer));
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
  return { url, close: () => closeServer(server) };
}
