import { createHmac } from 'node:crypto';

/** A key that signs tokens for the edge. */
export type EdgeKey = { slot: string; madeAt: Date; secret: string };

/** The store of the edge has a key in each: a new one replaces the older. */
export const keySlots = ['0', '1'] as const;

export const keyEntry = (slot: string) => `key.${slot}`;

/** The value of a key's entry: its time in milliseconds, in base 36, and its secret. */
export function formatEdgeKey({ madeAt, secret }: Omit<EdgeKey, 'slot'>): string {
  return `${madeAt.getTime().toString(36)}.${secret}`;
}

export function parseEdgeKey(slot: string, value: string): EdgeKey {
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
