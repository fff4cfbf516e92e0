import type { EncoderSlowness } from './cost-table.ts';
import type { PlanCost } from './plan-cost.ts';

/** What the workers of a stage have measured. */
export type SlownessStore = {
  read(): Promise<EncoderSlowness>;
  write(encoder: string, slowness: number): Promise<void>;
};

/** In shorter work, starts of processes and of the disk take a share. */
const minExpectedSeconds = 10;

/** Share of one job in the new value: ten jobs of one encoder take over nine tenths of a change. */
const weight = 0.25;

/** A measurement outside is an accident, or a source that does not match its bit rate. */
const range = { min: 0.25, max: 4 } as const;

/**
 * The slowness of an encoder after another job: the geometric mean of what was known and what was measured, with the
 * weight of one job. Undefined if the job is no measurement: it is short, it has several encoders or none, or its
 * measurements decided how long it took.
 *
 * @param cost of the job, estimated with `known`
 * @param expectedSeconds wall seconds of ffmpeg by that estimate
 * @param seconds wall seconds that ffmpeg took
 */
export function learnSlowness(
  known: EncoderSlowness,
  { cost, expectedSeconds, seconds }: { cost: PlanCost; expectedSeconds: number; seconds: number },
): { encoder: string; slowness: number } | undefined {
  const [encoder, ...others] = cost.encoders;
  const isMeasured = cost.finalCpuSeconds === cost.cpuSeconds && seconds > 0;
  if (encoder === undefined || others.length > 0 || !isMeasured || expectedSeconds < minExpectedSeconds)
    return undefined;
  const next = (known[encoder] ?? 1) * (seconds / expectedSeconds) ** weight;
  return { encoder, slowness: Math.min(range.max, Math.max(range.min, next)) };
}
