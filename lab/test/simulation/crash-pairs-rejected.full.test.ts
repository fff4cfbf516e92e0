// @module-tag jobs
import { itHoldsWithEveryCrashPair } from '../../simulation/crash-pairs.ts';
import { scenarios } from '../../simulation/workload/scenarios.ts';

// For every CI. All crash points, and all scenarios, are in crash-pairs.full.test.ts.
itHoldsWithEveryCrashPair([scenarios.rejected], ['crash-after']);
