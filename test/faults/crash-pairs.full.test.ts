import { itHoldsWithEveryCrashPair } from './crash-pairs.ts';
import { faults } from './simulation/fault.ts';
import { scenarios } from './workload/scenarios.ts';

const { rejectedTwice, abandoned, cancelled, cancelledEarly, deleted, retried, completed } = scenarios;

itHoldsWithEveryCrashPair([rejectedTwice, abandoned, cancelled, cancelledEarly, deleted, retried, completed]);
itHoldsWithEveryCrashPair([completed, scenarios.rejected], faults);
