import type { StageSpeeds } from '../../../core/submission/choose-speed.ts';

/** The speeds of a stage with a pool. */
export const stageSpeeds: StageSpeeds = { default: 'standard', hasPool: true };
