import type { Clock } from '../../core/jobs/ports.ts';
import { systemClock } from './clock.ts';

/** Pauses between attempts. `random` returns numbers from 0 to below 1. */
export type Pacing = { sleep: Clock['sleep']; random: () => number };

export const systemPacing: Pacing = { sleep: systemClock.sleep, random: Math.random };
