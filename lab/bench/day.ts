import { seededRandom } from '@media-jobs/testing/random';
import { contracts } from '../../core/api/registry.ts';
import { coldStarts, workingDay } from './harness/day/working-day.ts';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';

const users = 10;
const days = 100;
const goal = 1 / 3;
/** Observers of Lambda report 5 to 15 minutes. */
const keptMinutes = [5, 10, 15] as const;

const functions = new Map<string, string>(contracts.map((contract) => [contract.id, contract.function]));

/** The cold starts of simulated days, in virtual time: the same on any machine. */
export const day: Benchmark = {
  name: 'day',
  question: `How many cold starts do ${users} users of the dashboard meet in a working day?`,
  baseline: 'a function for each route, called by the same users',
  run: async (print) => {
    const simulated = Array.from({ length: days }, (_, seed) => workingDay(seededRandom(seed), users));
    return keptMinutes.map((minutes) => {
      const kept = { keptSeconds: minutes * 60 };
      const counts = simulated.map((calls) => ({
        ours: coldStarts(calls, {
          ...kept,
          functionOf: (operation) => functions.get(operation) ?? operation,
        }),
        ofRoutes: coldStarts(calls, { ...kept, functionOf: (operation) => operation }),
      }));
      const typical = (count: 'ours' | 'ofRoutes') =>
        quantile(
          counts.map((each) => each[count]),
          0.5,
        );
      print(
        `  kept ${minutes} minutes: ${typical('ours')} cold starts a day, ${typical('ofRoutes')} with a function for each route`,
      );
      return figure(
        `day/kept ${minutes} minutes`,
        counts.map(({ ours, ofRoutes }) => ours / ofRoutes),
        goal,
      );
    });
  },
};
