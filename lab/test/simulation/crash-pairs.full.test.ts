// @module-tag nightly
// @module-tag jobs
import { itHoldsWithEveryCrashPair } from '../../simulation/crash-pairs.ts';
import { scenarios } from '../../simulation/workload/scenarios.ts';
import { faults } from '../../simulation/world/fault.ts';

const { rejectedTwice, abandoned, cancelled, cancelledEarly, deleted, retried, completed } = scenarios;

itHoldsWithEveryCrashPair([rejectedTwice, abandoned, cancelled, cancelledEarly, deleted, retried, completed]);
itHoldsWithEveryCrashPair([completed, scenarios.rejected], faults);
