import { adapterMutants } from './adapter-mutants.ts';
import { appMutants } from './app-mutants.ts';
import { chunkMutants } from './chunk-mutants.ts';
import { claimMutants } from './claim-mutants.ts';
import { contentKeyMutants } from './content-key-mutants.ts';
import { costMutants } from './cost-mutants.ts';
import { guardMutants } from './guard-mutants.ts';
import { laneMutants } from './lane-mutants.ts';
import type { Mutant } from './mutant.ts';
import { otherWorkerMutants } from './other-worker-mutants.ts';
import { secondRunMutants } from './second-run-mutants.ts';
import { spendingMutants } from './spending-mutants.ts';
import { stepMutants } from './step-mutants.ts';
import { usageMutants } from './usage-mutants.ts';

/** All mutants. */
export const allMutants: readonly Mutant[] = [
  ...guardMutants,
  ...appMutants,
  ...claimMutants,
  ...laneMutants,
  ...chunkMutants,
  ...secondRunMutants,
  ...stepMutants,
  ...otherWorkerMutants,
  ...usageMutants,
  ...contentKeyMutants,
  ...costMutants,
  ...spendingMutants,
  ...adapterMutants,
];
