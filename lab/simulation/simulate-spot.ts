import { type Random, seededRandom } from '@media-jobs/testing/random';
import { type Breach, check } from './checker/check.ts';
import { historyOf, terminalWrites } from './checker/history.ts';
import { spotWorkOf } from './checker/spot-invariants.ts';
import { aJobScript, graphNames, type JobScript } from './workload/job-script.ts';
import { runWorld } from './workload/run-world.ts';
import { noFaults } from './world/fault.ts';
import type { LogEntry } from './world/log.ts';

const seconds = (n: number) => n * 1_000;
const meanSpotMs = 5 * 60_000;
const arrivalsPerSecond = 1.4;
/** More than the jobs need: no job waits for the end of others for long. */
const maxPoolTasks = 80;
const owners = 40;

export type SpotFigures = {
  spotJobs: number;
  spotInterruptions: number;
  /** Jobs that have not been completed. */
  spotLost: number;
  spotEndedTwice: number;
  /** Of the work that was needed. */
  spotRepeatedPercent: number;
};

/**
 * Runs economy jobs whose tasks lose their Spot capacity after five minutes on average (exponentially distributed), on vCPUs
 * that are up to a quarter slower or faster than expected. Returns the log.
 */
export async function runSpot({ jobs, seed }: { jobs: number; seed: number }): Promise<readonly LogEntry[]> {
  const random = seededRandom(seed ^ 0x5b07);
  const spanMs = seconds(jobs / arrivalsPerSecond);
  const { entries } = await runWorld({
    seed,
    maxPoolTasks,
    scripts: Array.from({ length: jobs }, () => anEconomyJob(random, spanMs)),
    plan: {
      ...noFaults(),
      latencyMs: () => random.between(2, 30),
      indexLagMs: () => random.between(1, 500),
      spotMs: () => -meanSpotMs * Math.log(1 - random.next()),
      slownessOf: (app) => (app === 'pool-task' ? 0.8 + 0.45 * random.next() : 1),
    },
  });
  return entries;
}

/** The figures of a log of economy jobs, and the breaches of all invariants and of what the pool promises of many jobs. */
export function judgeSpot(entries: readonly LogEntry[]): { figures: SpotFigures; breaches: Breach[] } {
  const history = historyOf(entries);
  const ends = history.jobs.map(terminalWrites);
  const { interruptions, repeatedShare } = spotWorkOf(history);
  const figures: SpotFigures = {
    spotJobs: ends.length,
    spotInterruptions: interruptions,
    spotLost: ends.filter(([end]) => end?.after.state !== 'completed').length,
    spotEndedTwice: ends.filter((writes) => writes.length > 1).length,
    spotRepeatedPercent: Number((100 * repeatedShare).toFixed(2)),
  };
  const promises = [
    ['no economy job is lost', figures.spotLost, 0],
    ['no economy job ends twice', figures.spotEndedTwice, 0],
    ['interruptions repeat at most 8 % of the work', figures.spotRepeatedPercent, 8],
  ] as const;
  const broken = promises.filter(([, found, max]) => found > max);
  const breaches = broken.map(([invariant, found]) => ({ invariant, breach: `found ${found}` }));
  return { figures, breaches: [...check(entries), ...breaches] };
}

/** Six in ten are encoded in up to a minute, one in twenty in up to twenty. */
function anEconomyJob(random: Random, spanMs: number): JobScript {
  const kind = random.next();
  const lengths = [
    [0.6, () => seconds(random.between(4, 60))],
    [0.95, () => seconds(10 * random.between(6, 30))],
    [1, () => seconds(60 * random.between(5, 20))],
  ] as const;
  return aJobScript({
    ownerId: `owner-${random.between(1, owners)}`,
    atMs: random.between(0, spanMs),
    input: 'film',
    isEconomy: true,
    ...stepsOf(random),
    encodeMs: (lengths.find(([share]) => kind < share) ?? lengths[2])[1](),
  });
}

/** One job in twenty is a pipeline of two steps, and as many have several outputs. */
function stepsOf(random: Random): Pick<JobScript, 'isPipeline' | 'graph'> {
  const kind = random.next();
  if (kind < 0.05) return { isPipeline: true };
  return kind < 0.1 ? { graph: random.pick(graphNames) } : {};
}
