import { expectedSeconds, type Processors } from '../../cost-model/processors.ts';
import type { Speed } from '../../encoding/speeds.ts';
import { type StepForecast, totalCost } from '../../recipes/pipeline/validate-pipeline.ts';
import type { ChunkSettings } from '../settings.ts';
import { singlePassBecause, singlePassReason, workOf } from './plan-chunks.ts';

export type StepsPolicy = {
  settings: ChunkSettings;
  speed: Speed;
  processors: Processors;
  /** Multiplies the expected times; by default 1. */
  slowness?: number;
  /** Wall seconds until the deadline of the worker that begins with the first of the steps. */
  remainingSeconds: number;
};

export type StepsInChunks = {
  /** Why a step is not encoded in chunks, as a sentence for the job's owner, by its number. All others are to be. */
  singlePassReasons: ReadonlyMap<number, string>;
  /** What a single pass of one step may take at standard speed. */
  maxSinglePassSeconds: number;
};

/**
 * Chooses which of the steps that are left are encoded in chunks. Several steps take a single pass if all of them together
 * end in the time that standard speed allows. Otherwise each has an equal share of that time, so at least one exceeds its
 * share, and those that do not fit a worker together. A single step is always chosen: its plan decides.
 */
export function stepsInChunks(steps: readonly StepForecast[], policy: StepsPolicy): StepsInChunks {
  const { settings, speed, processors, slowness = 1, remainingSeconds } = policy;
  const secondsOf = (cost: StepForecast['cost']) => slowness * expectedSeconds(cost, processors);
  const allowedSeconds = Math.min(settings.maxSinglePassSeconds, remainingSeconds / 2);
  const maxSinglePassSeconds = allowedSeconds / Math.max(1, steps.length);
  if (steps.length <= 1) return { singlePassReasons: new Map(), maxSinglePassSeconds };
  const seconds = secondsOf(totalCost(steps));
  const isShort = speed !== 'fast' && seconds <= allowedSeconds;
  const whyShort = `its steps take about ${Math.ceil(seconds)} s, and standard speed allows ${Math.floor(allowedSeconds)} s`;
  const reasonFor = ({ cost, chunkable }: StepForecast): string | undefined => {
    if (isShort) return singlePassBecause(whyShort);
    if (chunkable === undefined) return singlePassBecause('it does not encode one video input');
    return singlePassReason(chunkable.encoding, chunkable.durationSeconds, {
      settings: { ...settings, maxSinglePassSeconds },
      work: { ...workOf(cost, processors), expectedSeconds: secondsOf(cost) },
      speed,
      remainingSeconds,
    });
  };
  const singlePassReasons = new Map<number, string>();
  for (const step of steps) {
    const reason = reasonFor(step);
    if (reason !== undefined) singlePassReasons.set(step.index, reason);
  }
  return { singlePassReasons, maxSinglePassSeconds };
}
