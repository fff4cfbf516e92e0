import { createHmac } from 'node:crypto';
import type { JobRef } from '../jobs/ports.ts';

/** What is remembered of the playback URLs of a job, apart from its record: other writes of that must not undo it. */
export type PlaybackRecord = {
  /** No token for the edge lives longer, and no URL that was made after a revocation. Undefined: the job has none. */
  tokensUntil?: string | undefined;
  /** URLs that were made until then open nothing. */
  revokedAt?: string | undefined;
};

export type PlaybackRecords = {
  /** Strongly consistent. */
  get(ref: JobRef): Promise<PlaybackRecord>;
  /** Sets a time, unless a later one is set. The record goes at `expiresAt`. */
  raise(ref: JobRef, field: keyof PlaybackRecord, to: Date, expiresAt: Date): Promise<void>;
};

const dayMs = 86_400_000;

/** No URL lives longer. */
export const maxPlaybackSeconds = 7 * 86_400;

/** Longer than any URL that was made before `now`, and than `tokensUntil`. */
export function playbackRecordEnd(now: Date): Date {
  return new Date(now.getTime() + maxPlaybackSeconds * 1000 + 2 * dayMs);
}

/** The end of a token as the record has it: that of its day, so that the viewers of a day cause one write. */
export function recordedEnd(tokenEnd: Date): Date {
  return new Date(Math.ceil(tokenEnd.getTime() / dayMs) * dayMs);
}

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

export type EndPlaybackDeps = {
  playbacks: Pick<PlaybackRecords, 'get'>;
  /** Undefined on a stage without an edge. */
  edge?: Pick<EdgeStore, 'put'> | undefined;
};

/** Has the edge refuse the tokens of a job that were made until now. Only a job that may have any writes an entry. */
export async function endPlayback({ playbacks, edge }: EndPlaybackDeps, ref: JobRef, now: Date): Promise<void> {
  if (edge === undefined) return;
  const { tokensUntil = '' } = await playbacks.get(ref);
  if (tokensUntil > now.toISOString()) await revokeAtEdge(edge, ref.jobId, now);
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

/** A key that signs tokens for the edge. */
export type EdgeKey = { slot: string; madeAt: Date; secret: string };

/** The store of the edge has a key in each: a new one replaces the older. */
const keySlots = ['0', '1'] as const;

export const keyEntry = (slot: string) => `key.${slot}`;

/** The value of a key's entry: its time in milliseconds, in base 36, and its secret. */
export function formatEdgeKey({ madeAt, secret }: Omit<EdgeKey, 'slot'>): string {
  return `${madeAt.getTime().toString(36)}.${secret}`;
}

function parseEdgeKey(slot: string, value: string): EdgeKey {
  const [madeAt = '', secret = ''] = value.split('.');
  return { slot, madeAt: new Date(Number.parseInt(madeAt, 36)), secret };
}

/** Longer than a write takes to reach every location of CloudFront, which is seconds. */
const propagationMs = 300_000;

/** The newest key that every location of the edge has; a first key has no other before it. */
export function signingKey(keys: readonly EdgeKey[], now: Date): EdgeKey | undefined {
  const newest = keys.toSorted((one, other) => other.madeAt.getTime() - one.madeAt.getTime());
  return newest.find(({ madeAt }) => madeAt.getTime() + propagationMs <= now.getTime()) ?? newest.at(-1);
}

export type EdgeGrant = {
  jobId: string;
  /** The name of a bucket of the account; empty for the media bucket. */
  bucket: string;
  /** The key prefix of the files that the token opens, such as `jobs/<jobId>/1/output/`. */
  folder: string;
  issuedAt: Date;
  /** In whole seconds. */
  expiresAt: Date;
};

/**
 * A token for the path of a URL, which `lib/edge/play.js` verifies: base64url of slot, issue in milliseconds, end in seconds, job,
 * bucket and folder, and its HMAC. The signature covers the text as it is sent, so a token has one spelling only.
 */
export function edgeToken(
  { slot, secret }: EdgeKey,
  { jobId, bucket, folder, issuedAt, expiresAt }: EdgeGrant,
): string {
  const times = [issuedAt.getTime().toString(36), (expiresAt.getTime() / 1000).toString(36)];
  const payload = Buffer.from([slot, ...times, jobId, bucket, folder].join('~')).toString('base64url');
  return `${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`;
}
