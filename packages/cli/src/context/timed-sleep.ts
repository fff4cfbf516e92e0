import { setTimeout } from 'node:timers/promises';
import type { Sleep } from '@media-jobs/client';

export const timedSleep: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal });
