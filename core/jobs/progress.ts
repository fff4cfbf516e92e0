import type { JobStage } from './states.ts';

/** Which part of a job's percent each stage covers, as [from, to]; encoding is by far the longest. */
const shares: Record<JobStage, readonly [number, number]> = {
  queued: [0, 0],
  validating: [0, 0],
  downloading: [0, 10],
  probing: [10, 10],
  transcoding: [10, 95],
  uploading: [95, 99],
  done: [99, 99],
};

/** The whole job's percent, 0 to 99, when `fraction` (0 to 1) of a stage is done. */
export function overallProgress(stage: JobStage, fraction: number): number {
  const [from, to] = shares[stage];
  return Math.floor(from + (to - from) * Math.min(1, Math.max(0, fraction)));
}
