import { setTimeout } from 'node:timers/promises';
import type { Sleep } from '../../client/upload-retry.ts';

/** A pause by the clock of this machine. */
export const timedPause: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal });
