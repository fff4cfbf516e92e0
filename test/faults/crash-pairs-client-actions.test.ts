import { itHoldsWithEveryCrashPair } from './crash-pairs.ts';
import { scenarios } from './workload/scenarios.ts';

itHoldsWithEveryCrashPair([
  scenarios.cancelled,
  scenarios.cancelledEarly,
  scenarios.deleted,
  scenarios.retried,
]);
