import { itHoldsWithEveryPair } from './crash-pairs.ts';
import { scenarios } from './workload/scenarios.ts';

itHoldsWithEveryPair([scenarios.cancelled, scenarios.cancelledEarly, scenarios.deleted, scenarios.retried]);
