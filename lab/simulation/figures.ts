import { createHash } from 'node:crypto';
import * as deliveries from './checker/delivery-invariants.ts';
import * as files from './checker/file-invariants.ts';
import { historyOf } from './checker/history.ts';
import * as records from './checker/record-invariants.ts';
import { recoveriesOf } from './checker/recovery-invariants.ts';
import type { Simulation } from './simulate-random.ts';
import type { LogEntry } from './world/log.ts';

export type Figures = {
  seed: number;
  jobs: number;
  lost: number;
  duplicateTerminalWrites: number;
  illegalTransitions: number;
  orphanedObjects: number;
  postsOverThree: number;
  maxRecoverySeconds: number;
  jobsPerSecond: number;
};

/** The figures of a simulation. */
export function figuresOf(
  { seed, jobs }: { seed: number; jobs: number },
  { world, breaches, wallSeconds }: Simulation,
): Figures {
  const count = (name: string) => breaches.filter(({ invariant }) => invariant === name).length;
  const recoveries = recoveriesOf(historyOf(world.entries)).map(({ milliseconds }) => milliseconds);
  return {
    seed,
    jobs,
    lost: count(records.everyJobEnds.name),
    duplicateTerminalWrites: count(records.oneTerminalWrite.name),
    illegalTransitions: count(records.legalTransitions.name),
    orphanedObjects: count(files.noOrphanedObjects.name),
    postsOverThree: count(deliveries.threePostsPerDelivery.name),
    maxRecoverySeconds: Math.max(0, ...recoveries) / 1_000,
    jobsPerSecond: Math.round(jobs / wallSeconds),
  };
}

/** A hash of the log: the same seed gives the same hash. */
export function traceOf(entries: readonly LogEntry[]): string {
  const hash = createHash('sha256');
  for (const entry of entries) hash.update(JSON.stringify(entry));
  return hash.digest('hex').slice(0, 16);
}
