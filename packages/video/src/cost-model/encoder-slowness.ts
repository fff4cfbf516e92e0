import { createHash } from 'node:crypto';
import type { EncoderSlowness } from './cost-table.ts';
import type { PlanCost } from './plan-cost.ts';

/**
 * What the jobs of a stage measured: the slowness of an encoder by the jobs of one group of owners, under the name of both.
 * Under the name of the encoder alone: by all jobs, as older versions stored it. Under `other`: of the machine of a local stage.
 */
export type MeasuredSlowness = Readonly<Record<string, number>>;

export type SlownessStore = { read(): Promise<MeasuredSlowness>; write(name: string, slowness: number): Promise<void> };

/** In shorter work, starts of processes and of the disk take most of the time. */
const minExpectedSeconds = 2;

/** Share of one long job in the new value of its group: ten jobs take over nine tenths of a change. */
const longWeight = 0.25;

/** From here on a job is long. A shorter one counts less: a start of a process is a larger share of it. */
const longSeconds = 10;

/**
 * A measurement outside is an accident, or a source that does not match its bit rate. Inside are the encoders that were
 * measured: the fastest took half as long as calibrated, on a machine with an assumed slowness of 1.4.
 */
const range = { min: 1 / 3, max: 2 } as const;

/** So few that one item has them all. */
const groups = 32;

/** The median of fewer groups can be the value of one of them, whatever the others measured. */
const minGroups = 3;

/**
 * The slowness of each encoder for the jobs of an owner. One owner cannot move it for others, whatever the sources say: it
 * is the median of the groups, and until three of them have measured, what the owner's own group has measured.
 */
export function slownessFor(measured: MeasuredSlowness, ownerId: string): EncoderSlowness {
  const byEncoder = Map.groupBy(Object.entries(measured), ([name]) => name.split('#')[0] ?? name);
  const known = [...byEncoder].map(([encoder, values]) => {
    const ofGroups = values.filter(([name]) => name !== encoder).map(([, value]) => value);
    const median = ofGroups.toSorted((one, other) => one - other)[Math.floor(ofGroups.length / 2)];
    const own = measured[nameOf(encoder, ownerId)] ?? measured[encoder];
    return [encoder, limited((ofGroups.length < minGroups ? own : median) ?? measured.other ?? 1)] as const;
  });
  return Object.fromEntries(known);
}

/**
 * What the group of an owner has measured after another job: the geometric mean of what was known and what was measured,
 * with the weight of one job. Undefined if the job is no measurement: it is short, it has several encoders or none, or its
 * measurements decided how long it took.
 *
 * @param known slowness with which the job was estimated
 * @param cost of the job by that estimate
 * @param expectedSeconds wall seconds of ffmpeg by that estimate
 * @param seconds wall seconds that ffmpeg took
 */
export function learnSlowness(
  measured: MeasuredSlowness,
  ownerId: string,
  job: { known: EncoderSlowness; cost: PlanCost; expectedSeconds: number; seconds: number },
): { name: string; slowness: number } | undefined {
  const { cost, expectedSeconds, seconds } = job;
  const [encoder, ...others] = cost.encoders;
  const isMeasured = cost.finalCpuSeconds === cost.cpuSeconds && seconds > 0;
  if (encoder === undefined || others.length > 0 || !isMeasured || expectedSeconds < minExpectedSeconds)
    return undefined;
  const name = nameOf(encoder, ownerId);
  const known = job.known[encoder] ?? job.known.other ?? 1;
  const own = measured[name] ?? known;
  const weight = longWeight * Math.min(1, expectedSeconds / longSeconds);
  const slowness = own ** (1 - weight) * ((known * seconds) / expectedSeconds) ** weight;
  return { name, slowness: limited(slowness) };
}

function nameOf(encoder: string, ownerId: string): string {
  const group = createHash('sha256').update(ownerId).digest().readUInt32BE() % groups;
  return `${encoder}#${group}`;
}

function limited(slowness: number): number {
  return Math.min(range.max, Math.max(range.min, slowness));
}
