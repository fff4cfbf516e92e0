import { storageProviderSchema } from '../../../core/storage/provider.ts';
import type { FaultPlan } from '../world/fault.ts';
import { newStage, type StageSettings } from '../world/stage.ts';
import { newWorld, type World, type WorldOptions } from '../world/world.ts';
import { runJobScript } from './client.ts';
import type { JobScript } from './job-script.ts';

export type RunOptions = {
  seed?: number;
  plan: FaultPlan;
  scripts: readonly JobScript[];
  /** Default webhook URLs of owners, set before the start. */
  defaults?: Readonly<Record<string, string>>;
  /** Owners whose files go to a storage provider. */
  providerOwners?: readonly string[];
  settings?: Partial<StageSettings>;
  maxRunningJobs?: number;
  workers?: number;
  firstAttempts?: number;
  usdPerDay?: number;
  maxPoolTasks?: number;
  onCall?: WorldOptions['onCall'];
};

const defaultSettings: StageSettings = {
  maxQueueMs: 24 * 3_600_000,
  maxJobsPerShard: 250,
  ownerShare: { jobs: 50, ms: 5_000 },
};

const storageProviderId = `sp_${'0'.repeat(32)}`;

/** Runs a world with these job scripts until no event is left; returns it for the checker. */
export async function runWorld({
  seed = 1,
  plan,
  scripts,
  defaults = {},
  providerOwners = [],
  settings,
  maxRunningJobs,
  workers,
  firstAttempts,
  usdPerDay,
  maxPoolTasks,
  onCall,
}: RunOptions): Promise<World> {
  const world = newWorld({
    seed,
    plan,
    maxRunningJobs,
    workers,
    firstAttempts,
    usdPerDay,
    maxPoolTasks,
    ...(onCall === undefined ? {} : { onCall }),
  });
  const now = new Date(world.scheduler.now());
  for (const [ownerId, url] of Object.entries(defaults)) {
    await world.settings.change(ownerId, { defaultWebhookUrl: url }, now);
  }
  for (const ownerId of providerOwners) {
    const provider = storageProviderSchema.parse({
      ownerId,
      storageProviderId,
      name: 'Ours',
      kind: 's3',
      bucket: 'ours',
      region: 'eu-central-1',
      access: { type: 'role', roleArn: 'arn:aws:iam::111122223333:role/ours', externalId: 'id' },
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    });
    await world.providers.create(provider);
    await world.settings.change(ownerId, { defaultStorageProviderId: storageProviderId }, now);
  }
  const { callApi } = newStage(world, { ...defaultSettings, ...settings });
  for (const [index, script] of scripts.entries()) runJobScript(world, callApi, script, `key-${index}`);
  await world.scheduler.run();
  return world;
}
