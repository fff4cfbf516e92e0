import { seededRandom } from '@media-jobs/testing/random';
import { aDynaliteTable } from '../../test/builders/storage/dynalite-table.ts';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { type VirtualQueue, virtualQueue } from './harness/neighbour/virtual-queue.ts';

const waiting = 10_000;
/** Waiting jobs that are known to be long. */
const waitingLong = 1_000;
const workers = 4;
const burst = 20;
/** Claims before the burst. */
const claimsBefore = 40;
const pairs = { whole: 6, quick: 2 };
const goals = { waits: 2, besideLong: 2 };
const startsAt = Date.parse('2026-03-01T12:00:00.000Z');

/** Whether an owner's few jobs wait long beside thousands of another's. */
export const neighbour: Benchmark = {
  name: 'neighbour',
  question: `How long do ${burst} jobs of one owner wait (p95) beside ${waiting} waiting jobs of another? Beside ${waitingLong} that take minutes?`,
  baseline:
    'the same jobs alone, with the same times, on as many workers; beside long jobs, on the one worker that is kept for others. Workers claim from a table in virtual time',
  run: async (print, { extent }) => {
    const ratios: number[] = [];
    const longRatios: number[] = [];
    for (let pair = 1; pair <= pairs[extent]; pair += 1) {
      const alone = await burstBeside({ backlog: 0, seed: pair });
      const beside = await burstBeside({ backlog: waiting, seed: pair });
      const aloneOnOne = await burstBeside({ backlog: 0, seed: pair, of: 1 });
      const besideLong = await burstBeside({ backlog: waitingLong, seed: pair, queue: 'long' });
      const ratio = p95(beside) / p95(alone);
      ratios.push(ratio);
      longRatios.push(p95(besideLong) / p95(aloneOnOne));
      print(
        `  pair ${pair} of ${pairs[extent]}: ${ratio.toFixed(3)}, beside long jobs ${longRatios.at(-1)?.toFixed(3)}`,
      );
    }
    return [
      figure('neighbour wait', ratios, goals.waits),
      figure('neighbour wait beside long jobs', longRatios, goals.besideLong),
    ];
  },
};

/** Submits the burst while the workers are busy with another owner's jobs, or with none. Returns its waits. */
async function burstBeside({
  backlog,
  seed,
  queue,
  of = workers,
}: {
  backlog: number;
  seed: number;
  queue?: 'long';
  of?: number;
}): Promise<number[]> {
  const table = await aDynaliteTable();
  try {
    const random = seededRandom(seed);
    const jobMs = (queueOfJob?: string) =>
      queueOfJob === undefined ? random.between(2_000, 18_000) : random.between(120_000, 600_000);
    const line = virtualQueue(table, { workers: of, startsAt, jobMs });
    if (backlog > 0) await line.submit('busy', backlog, queue);
    for (let n = 0; n < (backlog === 0 ? 0 : claimsBefore); n += 1) await line.startNext();
    await line.submit('few', burst);
    return await waitsOfBurst(line);
  } finally {
    await table.stop();
  }
}

async function waitsOfBurst(line: VirtualQueue): Promise<number[]> {
  const waits: number[] = [];
  while (waits.length < burst) {
    const start = await line.startNext();
    if (start === undefined) break;
    if (start.ownerId === 'few') waits.push(start.startedAt - start.submittedAt);
  }
  return waits;
}

function p95(waits: readonly number[]): number {
  return quantile(waits, 0.95);
}
