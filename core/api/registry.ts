import type { Contract } from './contract.ts';
import { createJobContract, getJobContract, listJobsContract } from './jobs.ts';

/** Every route of the API. Adding one is its declaration, its handler file and its line here. */
export const contracts: readonly Contract[] = [createJobContract, listJobsContract, getJobContract];
