import { itHoldsWithEveryCrashPair } from './crash-pairs.ts';
import { scenarios } from './workload/scenarios.ts';

itHoldsWithEveryCrashPair([scenarios.rejected]);
