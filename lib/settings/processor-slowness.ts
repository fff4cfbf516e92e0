import { lambdaSlowness } from '@media-jobs/video/cost-model';
import type { Settings } from './settings.ts';

/** Seconds of a vCPU for each second of the calibrated machine. The local stage runs on a machine like that one. */
export function processorSlowness({ stage, architecture }: Pick<Settings, 'stage' | 'architecture'>): number {
  return stage === 'local' ? 1 : lambdaSlowness[architecture];
}
