import { setTimeout } from 'node:timers/promises';
import type { Pause } from '../../client/pause.ts';

/** A pause by the clock of this machine. */
export const timedPause: Pause = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal });
