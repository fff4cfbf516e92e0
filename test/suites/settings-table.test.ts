import { beforeEach, describe, expect, it } from 'vitest';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import type { SettingsTable } from '../../core/settings/owner-settings.ts';
import { memorySettingsTable } from '../../lab/simulation/memory/settings-table.ts';
import { later } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const url = 'https://receiver.example/hook';

describe.each(bothStores(settingsTable, memorySettingsTable))('the settings table %s', (_, open) => {
  let settings: SettingsTable;
  let ownerId: string;
  beforeEach(async () => {
    settings = await open();
    ownerId = aNewOwner();
  });

  it('has defaults for an owner who never set anything', async () => {
    expect(await settings.get(ownerId)).toEqual({ ownerId, defaultWebhookUrl: null, defaultStorageProviderId: null });
  });

  it('keeps the default webhook URL, for this owner alone', async () => {
    await settings.change(ownerId, { defaultWebhookUrl: url }, later(0));
    expect(await settings.get(ownerId)).toMatchObject({ defaultWebhookUrl: url, updatedAt: later(0).toISOString() });
    expect((await settings.get(aNewOwner())).defaultWebhookUrl).toBeNull();
  });

  it('clears the default webhook URL with null', async () => {
    await settings.change(ownerId, { defaultWebhookUrl: url }, later(0));
    expect(await settings.change(ownerId, { defaultWebhookUrl: null }, later(1))).toMatchObject({
      defaultWebhookUrl: null,
      updatedAt: later(1).toISOString(),
    });
  });

  it("keeps the first time of the owner's first record", async () => {
    expect(await settings.ensureOwnerSince(ownerId, later(1).toISOString())).toBe(later(1).toISOString());
    expect(await settings.ensureOwnerSince(ownerId, later(0).toISOString())).toBe(later(1).toISOString());
    expect(await settings.get(ownerId)).toMatchObject({ ownerSince: later(1).toISOString() });
  });

  it('gives 20 concurrent first webhooks the same secret', async () => {
    const writes = Array.from({ length: 20 }, (_unused, n) =>
      settings.ensureSecrets(ownerId, { current: `whsec_${n}` }),
    );
    const answers = await Promise.all(writes);
    const { signingSecrets } = await settings.get(ownerId);
    expect(answers).toEqual(Array.from({ length: 20 }, () => signingSecrets));
  });

  it('keeps URL and secrets apart: neither write overwrites the other', async () => {
    await settings.ensureSecrets(ownerId, { current: 'whsec_1' });
    await settings.change(ownerId, { defaultWebhookUrl: url }, later(0));
    expect(await settings.get(ownerId)).toMatchObject({
      defaultWebhookUrl: url,
      signingSecrets: { current: 'whsec_1' },
    });
  });

  it('lets one of two concurrent rotations replace the secret, and returns it to both', async () => {
    await settings.ensureSecrets(ownerId, { current: 'whsec_1' });
    const rotate = (current: string) =>
      settings.replaceSecrets(ownerId, { expected: 'whsec_1', secrets: { current, previous: 'whsec_1' } });
    const [one, other] = await Promise.all([rotate('whsec_2'), rotate('whsec_3')]);
    expect(one).toEqual(other);
    expect((await settings.get(ownerId)).signingSecrets).toEqual(one);
  });

  it('lets one of two concurrent changes of the endpoints through', async () => {
    const endpoint = { id: 'we_1', url, disabled: false, createdAt: later(0).toISOString(), secret: 'whsec_1' };
    const [first, second] = [1, 2].map((version) => ({ version, list: [{ ...endpoint, disabled: version === 2 }] }));
    if (first === undefined || second === undefined) return;
    const both = await Promise.all([
      settings.replaceEndpoints(ownerId, first),
      settings.replaceEndpoints(ownerId, first),
    ]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await settings.replaceEndpoints(ownerId, second)).toBe(true);
    expect((await settings.get(ownerId)).webhookEndpoints).toEqual(second);
  });
});
