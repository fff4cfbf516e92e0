import { expect, it } from 'vitest';
import { checkWatches } from '../../../../lib/operator/preflight/check-watches.ts';
import { readSettings } from '../../../../lib/settings/read-settings.ts';

const buckets = [
  { name: 'team', bucket: 'team-media', access: 'read-write' },
  { name: 'own', bucket: 'own-media', access: 'read-write', create: true },
];
const output = { storageProviderId: 'bucket:team', key: 'out/{jobId}' };
const watch = { name: 'films', bucket: 'team-media', prefix: 'raw/', preset: 'web', output };

it.each([
  ['ok', true, {}],
  ['change', false, {}],
  ['unknown', undefined, {}],
  ['ok', false, { enableEvents: true }],
])('says %s of a bucket whose events are on: %s, with %j', (status, isOn, more) => {
  const settings = readSettings({ dev: { buckets, watches: [{ ...watch, ...more }] } }, 'dev');
  const [finding, ...others] = checkWatches(settings, { 'team-media': isOn });
  expect(finding).toMatchObject({ status, requirement: expect.stringContaining('team-media') });
  expect(others).toEqual([]);
  if (status === 'change')
    expect(finding?.advice).toContain('put-bucket-notification-configuration --bucket team-media');
});

it('says nothing of a bucket that the stage makes', () => {
  const settings = readSettings({ dev: { buckets, watches: [{ ...watch, bucket: 'own-media' }] } }, 'dev');
  expect(checkWatches(settings, {})).toEqual([]);
});
