import { itHoldsWithEveryCrashPair } from './crash-pairs.ts';
import { scenarios } from './workload/scenarios.ts';

itHoldsWithEveryCrashPair([scenarios.completed, scenarios.rejected]);
