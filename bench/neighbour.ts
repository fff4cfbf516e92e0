import { seededRandom } from '@media-jobs/testing/random';
import { aDynaliteTable } from '../test/builders/storage/dynalite-table.ts';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { type VirtualQueue, virtualQueue } from './harness/neighbour/virtual-queue.ts';

const waiting = 10_000;
/** Waiting jobs that are known to be long. */
const waitingLong = 1_000;
const workers = 4;
const burst = 20;
/** Claims before the burst, and after it was claimed: the estimates of the busy owner's jobs are checked by them. */
const claims = { before: 40, after: 80 };
const pairs = { whole: 6, quick: 2 };
const goals = { waits: 2, besideLong: 2, estimates: 0.25 };
const startsAt = Date.parse('2026-03-01T12:00:00.000Z');

/** Whether an owner's few jobs wait long beside thousands of another's, and whether the estimated start is right. */
export const neighbour: Benchmark = {
  name: 'neighbour',
  question: `How long do ${burst} jobs of one owner wait (p95) beside ${waiting} waiting jobs of another? Beside ${waitingLong} that take minutes? How far is estimatedStartAt from the start?`,
  baseline:
    'the same jobs alone, with the same times, on as many workers; beside long jobs, on the one worker that is kept for others; for the error, the wait that the estimate predicts. Workers claim from a table in virtual time',
  run: async (print, { extent }) => {
    const ratios: number[] = [];
    const longRatios: number[] = [];
    const errors: number[] = [];
    for (let pair = 1; pair <= pairs[extent]; pair += 1) {
      const alone = await burstBeside({ backlog: 0, seed: pair });
      const beside = await burstBeside({ backlog: waiting, seed: pair });
      const aloneOnOne = await burstBeside({ backlog: 0, seed: pair, of: 1 });
      const besideLong = await burstBeside({ backlog: waitingLong, seed: pair, lane: 'long' });
      const ratio = p95(beside.waits) / p95(alone.waits);
      ratios.push(ratio);
      longRatios.push(p95(besideLong.waits) / p95(aloneOnOne.waits));
      errors.push(...alone.errors, ...beside.errors, ...besideLong.errors);
      print(
        `  pair ${pair} of ${pairs[extent]}: ${ratio.toFixed(3)}, beside long jobs ${longRatios.at(-1)?.toFixed(3)}, median error ${quantile(errors, 0.5).toFixed(3)}`,
      );
    }
    return [
      figure('neighbour wait', ratios, goals.waits),
      figure('neighbour wait beside long jobs', longRatios, goals.besideLong),
      figure('neighbour estimate error', errors, goals.estimates),
    ];
  },
};

type Burst = { waits: number[]; errors: number[] };

/** Submits the burst while the workers are busy with another owner's jobs, or with none. */
async function burstBeside({
  backlog,
  seed,
  lane,
  of = workers,
}: {
  backlog: number;
  seed: number;
  lane?: 'long';
  of?: number;
}): Promise<Burst> {
  const table = await aDynaliteTable();
  try {
    const random = seededRandom(seed);
    const jobMs = (laneOfJob?: string) =>
      laneOfJob === undefined ? random.between(2_000, 18_000) : random.between(120_000, 600_000);
    const line = virtualQueue(table, { workers: of, startsAt, jobMs });
    const busy = backlog === 0 ? [] : await line.submit('busy', backlog, lane);
    for (let n = 0; n < (backlog === 0 ? 0 : claims.before); n += 1) await line.startNext();
    const few = await line.submit('few', burst);
    return await measure(line, { few, watched: busy.slice(claims.before, claims.before + claims.after) });
  } finally {
    await table.stop();
  }
}

/** Waits of the few jobs, and the relative errors of all estimates that were read while jobs waited. */
async function measure(
  line: VirtualQueue,
  { few, watched }: { few: readonly string[]; watched: readonly string[] },
): Promise<Burst> {
  const predicted: { jobId: string; readAt: number; start: number }[] = [];
  const started = new Map<string, number>();
  const waits: number[] = [];
  const read = async (ownerId: string, jobId: string | undefined) => {
    if (jobId === undefined || started.has(jobId)) return;
    const start = await line.estimatedStart({ ownerId, jobId });
    if (start !== undefined) predicted.push({ jobId, readAt: line.now(), start });
  };
  for (let n = 0; waits.length < few.length || n < claims.after; n += 1) {
    const start = await line.startNext();
    if (start === undefined) break;
    started.set(start.jobId, start.startedAt);
    if (start.ownerId === 'few') waits.push(start.startedAt - start.submittedAt);
    await read('few', few[(n * 7) % few.length]);
    await read('busy', watched[(n * 7) % watched.length]);
  }
  const errors = predicted.flatMap(({ jobId, readAt, start }) => {
    const actual = started.get(jobId);
    return actual === undefined || actual === readAt ? [] : [Math.abs(start - actual) / (actual - readAt)];
  });
  return { waits, errors };
}

function p95(waits: readonly number[]): number {
  return quantile(waits, 0.95);
}
