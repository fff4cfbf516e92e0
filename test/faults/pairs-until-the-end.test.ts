import { itHoldsWithEveryPair } from './crash-pairs.ts';
import { scenarios } from './workload/scenarios.ts';

itHoldsWithEveryPair([scenarios.completed, scenarios.refusedTwice, scenarios.rejected]);
