import { type FaultPlan, noFaults } from '../simulation/fault.ts';
import type { World } from '../simulation/world.ts';
import { type RunOptions, runWorld } from './run-world.ts';

export type Scenario = {
  name: string;
  /** What is unlike an ordinary world, whatever goes wrong in it. */
  conditions?: Partial<FaultPlan>;
  /** What goes wrong; nothing unless it says so. */
  plan?: () => FaultPlan;
} & Pick<RunOptions, 'scripts' | 'defaults' | 'settings'>;

/** Runs a scenario with what it says goes wrong, or with another plan. */
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
