import { type EdgeKey, formatEdgeKey, keyEntry, keySlots, parseEdgeKey } from './edge-token.ts';
import { maxPlaybackSeconds } from './playback-record.ts';

/** The key value store that the edge reads with each request. Writes reach it within seconds. */
export type EdgeStore = {
  get(name: string): Promise<string | undefined>;
  /** Writes one entry, which may depend on how many there are. */
  put(entry: (count: number) => [name: string, value: string]): Promise<void>;
  list(): Promise<Map<string, string>>;
  update(change: EdgeChange): Promise<void>;
};

export type EdgeChange = { puts: [name: string, value: string][]; deletes: string[] };

/** Tokens of every job that were made until this time are refused. */
const beforeEntry = 'before';

/** Above it one entry stands for all: the store holds 5 MB (CloudFront Developer Guide, "Quotas on key value stores"). */
const maxRevocations = 50_000;

const keyLifetimeMs = 30 * 86_400_000;
const hourMs = 3_600_000;

const timeOf = (value: string) => Number.parseInt(value, 36);
const timestamp = (time: Date) => time.getTime().toString(36);

/** Refuses the tokens of a job that were made until now; if there are too many revocations, those of all jobs. */
export function revokeAtEdge(store: Pick<EdgeStore, 'put'>, jobId: string, now: Date): Promise<void> {
  return store.put((count) => [count > maxRevocations ? beforeEntry : jobId, timestamp(now)]);
}

/**
 * What keeps the store in order: a key for each slot, of which the older is replaced every 30 days, and no revocation of tokens
 * that have all ended.
 */
export function maintainEdge(
  entries: ReadonlyMap<string, string>,
  { now, newSecret }: { now: Date; newSecret: () => string },
): EdgeChange {
  const keys = readKeys(entries);
  const revocations = [...entries].filter(([name]) => name !== beforeEntry && !name.startsWith(keyEntry('')));
  const before =
    revocations.length > maxRevocations ? timestamp(now) : (entries.get(beforeEntry) ?? timestamp(new Date(0)));
  const endedMs = Math.max(timeOf(before), now.getTime() - maxPlaybackSeconds * 1000 - hourMs);
  const puts: EdgeChange['puts'] = entries.get(beforeEntry) === before ? [] : [[beforeEntry, before]];
  const newestMs = Math.max(0, ...keys.map(({ madeAt }) => madeAt.getTime()));
  if (now.getTime() - newestMs >= keyLifetimeMs) {
    const oldest = keys.toSorted((one, other) => one.madeAt.getTime() - other.madeAt.getTime())[0]?.slot;
    const slot = keySlots.find((each) => !keys.some((key) => key.slot === each)) ?? oldest ?? keySlots[0];
    puts.push([keyEntry(slot), formatEdgeKey({ madeAt: now, secret: newSecret() })]);
  }
  return { puts, deletes: revocations.filter(([, value]) => timeOf(value) <= endedMs).map(([name]) => name) };
}

function readKeys(entries: ReadonlyMap<string, string | undefined>): EdgeKey[] {
  return keySlots.flatMap((slot) => {
    const value = entries.get(keyEntry(slot));
    return value === undefined ? [] : [parseEdgeKey(slot, value)];
  });
}

/** The keys of the store. None before it is maintained for the first time. */
export async function edgeKeys(store: Pick<EdgeStore, 'get'>): Promise<EdgeKey[]> {
  const names = keySlots.map(keyEntry);
  const entries = await Promise.all(names.map(async (name) => [name, await store.get(name)] as const));
  return readKeys(new Map(entries));
}
