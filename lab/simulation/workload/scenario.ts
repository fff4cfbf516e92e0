import { type FaultPlan, noFaults } from '../world/fault.ts';
import type { World } from '../world/world.ts';
import { type RunOptions, runWorld } from './run-world.ts';

export type Scenario = {
  name: string;
  /** Conditions that hold with every plan. */
  conditions?: Partial<FaultPlan>;
  /** The faults; none by default. */
  plan?: () => FaultPlan;
} & Pick<
  RunOptions,
  'scripts' | 'defaults' | 'endpoints' | 'providerOwners' | 'settings' | 'maxRunningJobs' | 'workers' | 'usdPerDay'
>;

/** Runs a scenario with its own plan, or with another. */
export function runScenario(
  { plan = () => noFaults(), conditions, ...scenario }: Scenario,
  other: { plan?: FaultPlan; onCall?: (() => unknown) | undefined } = {},
): Promise<World> {
  const { onCall } = other;
  return runWorld({
    ...scenario,
    plan: { ...(other.plan ?? plan()), ...conditions },
    ...(onCall === undefined ? {} : { onCall }),
  });
}
