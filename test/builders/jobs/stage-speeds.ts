import type { StageSpeeds } from '../../../core/submission/accept-job.ts';

/** The speeds of a stage with a pool. */
export const stageSpeeds: StageSpeeds = { default: 'standard', hasPool: true };
