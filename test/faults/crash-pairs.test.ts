import { itHoldsWithEveryCrashPair } from './crash-pairs.ts';
import { scenarios } from './workload/scenarios.ts';

// All three crash points, in all scenarios, are in the full tests.
itHoldsWithEveryCrashPair([scenarios.rejected], ['crash-after']);
