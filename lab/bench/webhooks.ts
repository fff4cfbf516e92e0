import { setTimeout } from 'node:timers/promises';
import { v7 } from 'uuid';
import { type Benchmark, type Figure, quantile } from './harness/figures/figure.ts';
import { benchStage } from './harness/stage/bench-stage.ts';
import { type RecordingReceiver, recordingReceiver } from './harness/webhooks/recording-receiver.ts';
import { besideSlowReceivers } from './harness/webhooks/slow-receivers.ts';
import { type TerminateJob, withJobTermination } from './harness/webhooks/terminate-job.ts';

const pairs = { whole: 6, quick: 2 };
const deliveries = { whole: 300, quick: 100 };
const warmUps = 12;
/** Concurrent executions: the load of a receiver's outage on a small stage. */
const atOnce = 4;
/** The approximate duration of a delivery. The workers start spread over it, since jobs do not end simultaneously. */
const cycleMs = 1_520;

/** The maximal delay of an attempt, and of the first POST after the terminal record. */
const lateMs = 50;
const firstPostMs = 150;

/** The precision of webhook retries by the receiver's clock, and the first attempts beside slow receivers. */
export const webhooks: Benchmark = {
  name: 'webhooks',
  question: `How long after their time do the attempts of ${deliveries.whole} rejected webhooks arrive? Do slow receivers delay the first attempts to others?`,
  baseline:
    'the delay that is promised: 500 ms and 1,000 ms from the end of the answer to the next request ' +
    `(p99, at most ${lateMs} ms more, none less), and ${firstPostMs} ms from the job's end to the first request (p50). Beside slow receivers: the same run without them (p50, of their owner and of another)`,
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const { stage } = cleanup.use(await benchStage());
    const receiver = await recordingReceiver(() => performance.now(), 503);
    cleanup.defer(receiver.close);
    return await withJobTermination(stage, async (endAJob) => {
      // Reconcile runs every minute: without this its cold start would disturb the measurement.
      await stage.invoke('media-jobs-local-reconcile', {});
      await measure({ endAJob, receiver, count: warmUps });
      const punctual = figures(await measure({ endAJob, receiver, count: deliveries[extent], print }));
      return [...punctual, ...(await besideSlowReceivers({ endAJob, pairs: pairs[extent], print }))];
    });
  },
};

/** Times of one delivery in ms: from the job's end to the first request, and from each answer to the next request. */
type Timing = { firstPost: number; second: number; third: number };

type Run = {
  endAJob: TerminateJob;
  receiver: RecordingReceiver;
  count: number;
  print?: (line: string) => void;
};

/** Lets `count` deliveries fail, `atOnce` concurrently. */
async function measure({ endAJob, receiver, count, print }: Run): Promise<Timing[]> {
  const timings: Timing[] = [];
  let begun = 0;
  const worker = async (_: unknown, index: number) => {
    await setTimeout((index * cycleMs) / atOnce);
    while (begun < count) {
      begun += 1;
      timings.push(await timeOne(endAJob, receiver));
      if (timings.length % 50 === 0) print?.(`  ${timings.length} of ${count} deliveries`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return timings;
}

async function timeOne(endAJob: TerminateJob, receiver: RecordingReceiver): Promise<Timing> {
  const jobId = v7();
  const endedAt = await endAJob(jobId, receiver.urlFor(jobId));
  const [first, second, third] = await receiver.attemptsAt(jobId, 3);
  if (!first || !second || !third) throw new Error(`Expected three attempts of job ${jobId}`);
  return {
    firstPost: first.arrivedAt - endedAt,
    second: second.arrivedAt - first.answeredAt,
    third: third.arrivedAt - second.answeredAt,
  };
}

function figures(timings: readonly Timing[]): Figure[] {
  return [
    punctuality('webhooks-500ms', { gaps: timings.map(({ second }) => second), delayMs: 500 }),
    punctuality('webhooks-1000ms', { gaps: timings.map(({ third }) => third), delayMs: 1_000 }),
    summary(
      'webhooks-first-post',
      timings.map(({ firstPost }) => firstPost / firstPostMs),
      { q: 0.5, goal: 1 },
    ),
  ];
}

/** The gaps relative to their delay. A single early attempt misses the goal. */
function punctuality(name: string, { gaps, delayMs }: { gaps: readonly number[]; delayMs: number }): Figure {
  const late = summary(
    name,
    gaps.map((gap) => gap / delayMs),
    { q: 0.99, goal: (delayMs + lateMs) / delayMs },
  );
  return { ...late, met: late.met && Math.min(...gaps) >= delayMs };
}

function summary(name: string, ratios: readonly number[], { q, goal }: { q: number; goal: number }): Figure {
  const ratio = quantile(ratios, q);
  return { name, ratio, low: quantile(ratios, 0.25), high: quantile(ratios, 0.75), goal, met: ratio <= goal };
}
