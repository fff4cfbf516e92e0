import type { MediaFile } from '../../core/encoding/plan.ts';

/** Length of all inputs together, in seconds; left out where they are pictures. */
export function totalMediaSeconds(inputs: readonly MediaFile[]): { mediaSeconds?: number } {
  const seconds = inputs.flatMap(({ probe }) => probe.durationSeconds ?? []);
  return seconds.length === 0 ? {} : { mediaSeconds: seconds.reduce((sum, each) => sum + each, 0) };
}
