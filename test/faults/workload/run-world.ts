import type { FaultPlan } from '../simulation/fault.ts';
import { newStage, type StageSettings } from '../simulation/stage.ts';
import { newWorld, type World, type WorldOptions } from '../simulation/world.ts';
import { runJobScript } from './client.ts';
import type { JobScript } from './job-script.ts';

export type RunOptions = {
  seed?: number;
  plan: FaultPlan;
  scripts: readonly JobScript[];
  /** Default webhook URLs of owners, set before the start. */
  defaults?: Readonly<Record<string, string>>;
  settings?: Partial<StageSettings>;
  maxRunningJobs?: number;
  onCall?: WorldOptions['onCall'];
};

const ordinary: StageSettings = {
  maxQueueMs: 24 * 3_600_000,
  maxJobsPerShard: 250,
  ownerShare: { jobs: 50, ms: 5_000 },
};

/** Runs a world with these job scripts until no event is left; returns it for the checker. */
export async function runWorld({
  seed = 1,
  plan,
  scripts,
  defaults = {},
  settings,
  maxRunningJobs,
  onCall,
}: RunOptions): Promise<World> {
  const world = newWorld({ seed, plan, maxRunningJobs, ...(onCall === undefined ? {} : { onCall }) });
  for (const [ownerId, url] of Object.entries(defaults)) {
    await world.settings.setDefaultWebhookUrl(ownerId, url, new Date(world.scheduler.now()));
  }
  const { callApi } = newStage(world, { ...ordinary, ...settings });
  for (const [index, script] of scripts.entries()) runJobScript(world, callApi, script, `key-${index}`);
  await world.scheduler.run();
  return world;
}
