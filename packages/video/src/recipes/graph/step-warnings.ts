import type { Probe } from '../../media/probe/probe.ts';
import type { JobWarning } from '../../media/warning.ts';
import { droppedTracks } from './dropped-tracks.ts';
import type { Step } from './steps.ts';

/** Warnings of an input of a step, by its probe: what the result lacks of it, and that its end is missing. */
export function stepWarnings(step: Pick<Step, 'recipe' | 'format'>, probe: Probe): JobWarning[] {
  const message =
    'The input is damaged: it ends within a packet, so it was cut off, and how many frames are missing is unknown';
  return [...droppedTracks(step, probe), ...(probe.isCutOff ? [{ code: 'INPUT_DAMAGED' as const, message }] : [])];
}
