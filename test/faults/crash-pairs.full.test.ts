import { itHoldsWithEveryCrashPair } from './crash-pairs.ts';
import { faults } from './simulation/fault.ts';
import { scenarios } from './workload/scenarios.ts';

const { refusedTwice, abandoned, cancelled, cancelledEarly, deleted, retried } = scenarios;

itHoldsWithEveryCrashPair([refusedTwice, abandoned, cancelled, cancelledEarly, deleted, retried]);
itHoldsWithEveryCrashPair([scenarios.completed, scenarios.rejected], faults);
