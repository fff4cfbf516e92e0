import { expect, it } from 'vitest';
import { keyGrantSchema } from '../../../core/access/key-record.ts';
import { groupOf, usageCaller } from '../../../core/jobs/usage.ts';

const aKey = (keyId: string) => keyGrantSchema.parse({ ownerId: 'owner-1', keyId, hash: keyId });

it('the jobs of a key count for the key that created it, and those of a session for none', () => {
  const ownerId = 'owner-1';
  const key = aKey('key-3');
  expect(usageCaller({ ownerId, caller: 'session' })).toBe('session');
  expect(usageCaller({ ownerId, caller: 'key', key })).toBe('key-3');
  expect(usageCaller({ ownerId, caller: 'key', key, parent: aKey('key-1') })).toBe('key-1');
});

it('a job is in the group of its caller and recipe, or of its mode', () => {
  const request = { recipe: { name: 'hls' } };
  expect(groupOf({ caller: 'key-1', request })).toEqual({ caller: 'key-1', recipe: 'hls' });
  expect(groupOf({ caller: 'session', request: {} })).toEqual({ caller: 'session', recipe: 'pipeline' });
  expect(groupOf({ caller: 'session', request: { outputs: {} } })).toEqual({ caller: 'session', recipe: 'outputs' });
});

it('a job of an earlier version is in no group', () => {
  expect(groupOf({ request: { recipe: { name: 'hls' } } })).toBeUndefined();
});
