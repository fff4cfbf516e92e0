import { describe, expect, it } from 'vitest';
import { delegateAccess } from '../../../core/access/delegate-access.ts';
import { type KeyGrant, keyGrantSchema, type SpendingLimits } from '../../../core/access/key-record.ts';
import { spendingCapsOf } from '../../../core/access/owner-limits.ts';
import { start } from '../../builders/jobs/jobs.ts';

const ownerId = 'owner-1';

function aKey(keyId: string, limits: SpendingLimits): KeyGrant {
  return keyGrantSchema.parse({ ownerId, keyId, hash: keyId, limits, scopes: ['keys', 'jobs:write'] });
}

const byKey = (key: KeyGrant, parent?: KeyGrant) => ({
  ownerId,
  caller: 'key' as const,
  key,
  ...(parent && { parent }),
});

describe('the caps of a job', () => {
  it('are none by default', () => {
    expect(spendingCapsOf({}, { ownerId, caller: 'session' })).toEqual([]);
    expect(spendingCapsOf({}, byKey(aKey('a', {})))).toEqual([]);
  });

  it('are those of the owner, of the key and of the key that created it', () => {
    const principal = byKey(aKey('b', { usdPerDay: 2, usdPerMonth: 30 }), aKey('a', { usdPerMonth: 30 }));
    expect(spendingCapsOf({ usdPerDay: 5 }, principal)).toEqual([
      { usdPerDay: 5 },
      { keyId: 'a', usdPerMonth: 30 },
      { keyId: 'b', usdPerDay: 2, usdPerMonth: 30 },
    ]);
  });

  it('leave out a key with the limits of the key that created it', () => {
    const limits = { usdPerDay: 1 };
    expect(spendingCapsOf({}, byKey(aKey('b', limits), aKey('a', limits)))).toEqual([{ keyId: 'a', usdPerDay: 1 }]);
  });
});

describe('a key that a key creates', () => {
  const parent = aKey('a', { usdPerDay: 1, usdPerMonth: 20 });
  const delegate = (limits: SpendingLimits) => delegateAccess({ limits }, { parent, now: start }).limits;

  it('has the limits of its parent unless the request has lower ones', () => {
    expect(delegate({ usdPerDay: 0.25 })).toEqual({ usdPerDay: 0.25, usdPerMonth: 20 });
  });

  it('never has higher ones', () => {
    expect(() => delegate({ usdPerMonth: 20.01 })).toThrow('limits.usdPerMonth: Must be at most 20');
  });
});
