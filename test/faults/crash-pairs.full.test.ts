import { itHoldsWithEveryCrashPair } from './crash-pairs.ts';
import { faults } from './simulation/fault.ts';
import { scenarios } from './workload/scenarios.ts';

itHoldsWithEveryCrashPair([scenarios.abandoned]);
itHoldsWithEveryCrashPair([scenarios.completed, scenarios.rejected], faults);
