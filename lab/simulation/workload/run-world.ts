import type { WebhookEndpoint } from '../../../core/settings/owner-settings.ts';
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
  /** The webhook endpoints of owners. */
  endpoints?: Readonly<Record<string, readonly WebhookEndpoint[]>>;
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
  ownerLimit: { jobs: 50, ms: 5_000 },
};

/** An endpoint of an owner, whose receiver behaves in this manner. */
export function anEndpoint(
  n: number,
  { ownerId = 'owner-1', manner, ...filter }: { ownerId?: string; manner: string } & Pick<WebhookEndpoint, 'states'>,
): WebhookEndpoint {
  const id = `we_${String(n).padStart(32, '0')}`;
  const url = `https://${ownerId}.example/${manner}`;
  return { id, url, disabled: false, createdAt: '2026-03-01T12:00:00.000Z', secret: 'whsec_', ...filter };
}

const storageProviderId = `sp_${'0'.repeat(32)}`;

/** Runs a world with these job scripts until no event is left; returns it for the checker. */
export async function runWorld({
  seed = 1,
  plan,
  scripts,
  defaults = {},
  endpoints = {},
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
  for (const [ownerId, list] of Object.entries(endpoints)) {
    await world.settings.replaceEndpoints(ownerId, { version: 1, list: [...list] });
    for (const endpoint of list) world.log({ kind: 'endpoint', ownerId, endpoint });
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
