import { itHoldsWithEveryPair } from './crash-pairs.ts';
import { faults } from './simulation/fault.ts';
import { scenarios } from './workload/scenarios.ts';

itHoldsWithEveryPair([scenarios.abandoned]);
itHoldsWithEveryPair([scenarios.completed, scenarios.rejected], faults);
