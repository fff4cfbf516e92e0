import { setTimeout } from 'node:timers/promises';
import type { Sleep } from '../../client/upload-retry.ts';

export const timedSleep: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal });
