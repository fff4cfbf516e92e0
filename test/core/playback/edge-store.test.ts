import { describe, expect, it } from 'vitest';
import { type EdgeStore, edgeKeys, maintainEdge, revokeAtEdge, signingKey } from '../../../core/playback/edge-store.ts';

const day = 86_400_000;
const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number) => new Date(start + ms);

/** A store in memory that is maintained at each of these times. */
async function maintained(times: readonly number[], entries = new Map<string, string>()) {
  let secrets = 0;
  for (const ms of times) {
    const { puts, deletes } = maintainEdge(entries, { now: at(ms), newSecret: () => `secret ${++secrets}` });
    for (const [name, value] of puts) entries.set(name, value);
    for (const name of deletes) entries.delete(name);
  }
  const store: Pick<EdgeStore, 'get' | 'put'> = {
    get: async (name) => entries.get(name),
    put: async (entry) => void entries.set(...entry(entries.size)),
  };
  const secretAt = async (ms: number) => signingKey(await edgeKeys(store), at(ms))?.secret;
  return { entries, store, secretAt };
}

describe('the keys of the edge', () => {
  it('are none before the first run, and one after it, which signs at once', async () => {
    expect(await (await maintained([])).secretAt(0)).toBeUndefined();
    expect(await (await maintained([0, 60_000, 29 * day])).secretAt(0)).toBe('secret 1');
  });

  it('are two at most; a new one replaces the older every 30 days, and signs once every location has it', async () => {
    const { entries, secretAt } = await maintained([0, 30 * day, 60 * day]);
    expect([...entries.keys()].toSorted()).toEqual(['before', 'key.0', 'key.1']);
    expect(await secretAt(60 * day + 299_000)).toBe('secret 2');
    expect(await secretAt(60 * day + 300_000)).toBe('secret 3');
  });
});

describe('a revocation', () => {
  it('is removed once every token has ended that it refuses', async () => {
    const { entries, store } = await maintained([0]);
    await revokeAtEdge(store, 'job-1', at(0));
    await maintained([7 * day], entries);
    expect(entries.has('job-1')).toBe(true);
    await maintained([7 * day + 3_600_000], entries);
    expect(entries.has('job-1')).toBe(false);
  });

  it('above 50,000 refuses the tokens of all jobs, and its entries go', async () => {
    const { entries, store } = await maintained([0]);
    for (let job = 0; job < 50_000; job += 1) await revokeAtEdge(store, `job-${job}`, at(job));
    expect(entries.get('before')).toBe(at(49_999).getTime().toString(36));
    await maintained([120_000], entries);
    expect([...entries.keys()].toSorted()).toEqual(['before', 'key.0']);
  });
});
