import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isResponse, loadViewerRequest, type StoreReader } from '@media-jobs/local-stage/emulators';
import { seededRandom } from '@media-jobs/testing/random';
import { describe, expect, it } from 'vitest';
import { type EdgeGrant, edgeToken, formatEdgeKey, keyEntry } from '../../../core/playback/edge-store.ts';

const code = readFileSync(new URL('../../../lib/edge/play.js', import.meta.url), 'utf8');
const now = Date.now();
const at = (minutes: number) => new Date(Math.floor(now / 1000) * 1000 + minutes * 60_000);
const keys = [
  { slot: '0', madeAt: at(-1000), secret: 'the older key' },
  { slot: '1', madeAt: at(-10), secret: 'the newer key' },
] as const;
const [older, newer] = keys;
const jobId = '01980000-0000-7000-8000-000000000001';
const folder = `jobs/${jobId}/1/output/`;

function aStore(more: Record<string, Date> = {}): StoreReader {
  const entries = new Map(keys.map((key) => [keyEntry(key.slot), formatEdgeKey(key)]));
  for (const [name, time] of Object.entries({ before: new Date(0), ...more })) {
    entries.set(name, time.getTime().toString(36));
  }
  return { get: (name) => entries.get(name), size: () => entries.size };
}

function tokenOf(more: Partial<EdgeGrant> = {}, key: Parameters<typeof edgeToken>[0] = newer): string {
  return edgeToken(key, { jobId, bucket: '', folder, issuedAt: at(-5), expiresAt: at(60), ...more });
}

/** What the origin is asked for, or the status of a refusal. */
async function open(path: string, store = aStore()): Promise<string | number> {
  const verdict = await loadViewerRequest(code, store)({ method: 'GET', uri: path, querystring: {}, headers: {} });
  return isResponse(verdict) ? verdict.statusCode : verdict.uri;
}

describe('a token', () => {
  it.each([
    ['of the newer key', () => tokenOf(), 'hls.m3u8', `/${folder}hls.m3u8`],
    ['of the older key', () => tokenOf({}, older), 'stream_0.mp4', `/${folder}stream_0.mp4`],
    ['of a bucket', () => tokenOf({ bucket: 'archive', folder: 'a/b/' }), '@archive/hls.m3u8', '/a/b/hls.m3u8'],
  ])('%s opens its folder', async (_, token, file, uri) => expect(await open(`/play/${token()}/${file}`)).toBe(uri));

  it.each([
    ['that has ended', { expiresAt: at(-1) }, {}],
    ['of a revoked job', {}, { [jobId]: at(-5) }],
    ['that is older than all that are valid', {}, { before: at(-4) }],
  ])('%s is refused', async (_, grant, entries) => {
    expect(await open(`/play/${tokenOf(grant)}/hls.m3u8`, aStore(entries))).toBe(403);
  });

  it('that was made after a revocation is valid', async () => {
    const store = aStore({ [jobId]: at(-6), before: at(-6) });
    expect(await open(`/play/${tokenOf()}/hls.m3u8`, store)).toBe(`/${folder}hls.m3u8`);
  });
});

it('a token is refused while the revocation of its job cannot be read', async () => {
  const { get, size } = aStore();
  let reads = 0;
  const failing: StoreReader = { get: (name) => (name === jobId && ++reads === 1 ? '0' : get(name)), size };
  expect(await open(`/play/${tokenOf()}/hls.m3u8`, failing)).toBe(403);
});

it('none of 300 forged tokens passes', async () => {
  const random = seededRandom(1);
  const valid = tokenOf();
  const [payload = '', signature = ''] = valid.split('.');
  const fields = Buffer.from(payload, 'base64url').toString().split('~');
  const signed = (text: string, secret: string) =>
    `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  const withField = (index: number, value: string) =>
    Buffer.from(fields.map((field, position) => (position === index ? value : field)).join('~')).toString('base64url');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const changedAt = (text: string, index: number) => {
    const others = letters.replace(text[index] ?? '', '');
    return text.slice(0, index) + others[random.between(0, others.length - 1)] + text.slice(index + 1);
  };
  const forgeries: (() => string)[] = [
    // One character of the token is another one.
    () => changedAt(valid, random.between(0, payload.length - 1)),
    () => `${payload}.${changedAt(signature, random.between(0, signature.length - 1))}`,
    // The payload of another job, folder, bucket, end, issue or key under this signature.
    () => `${withField(random.between(0, 5), `${random.between(2, 1e9)}`)}.${signature}`,
    // A signature of another secret, which may be empty or a value of the store.
    () => signed(payload, ['', 'undefined', '0', formatEdgeKey(newer), older.secret][random.between(0, 4)] ?? ''),
    // An entry of the store that is no key.
    () => signed(withField(0, ['before', jobId, '__proto__', '2'][random.between(0, 3)] ?? ''), newer.secret),
    // Valid, and ended, or revoked by nobody but for another bucket.
    () => tokenOf({ expiresAt: at(-random.between(1, 1e5)) }),
    () => tokenOf({ bucket: 'archive' }),
    // More or less than one token.
    () => `${valid}${letters[random.between(0, 63)]}`,
    () => valid.slice(0, -random.between(1, 20)),
    () =>
      ['', '.', '..', `${payload}.`, `.${signature}`, encodeURIComponent(valid).replace('.', '%2e')][
        random.between(0, 5)
      ] ?? '',
  ];
  for (let n = 0; n < 300; n += 1) {
    const token = forgeries[n % forgeries.length]?.() ?? '';
    expect([token, await open(`/play/${token}/hls.m3u8`)]).toEqual([token, 403]);
  }
});

it.each([
  'eval("1")',
  "new Function('return 1')()",
  'process.exit()',
  "require('fs')",
  'fetch("https://a.example")',
  'setTimeout(() => 0)',
])('a function that calls %s fails, as at CloudFront', async (call) => {
  const run = loadViewerRequest(`async function handler(event) { ${call}; return event.request; }`, undefined);
  await expect(run({ method: 'GET', uri: '/', querystring: {}, headers: {} })).rejects.toThrow();
});

it('the check takes at most five times as long as one HMAC of 200 bytes', async () => {
  const run = loadViewerRequest(code, aStore());
  const request = { method: 'GET', uri: `/play/${tokenOf()}/hls.m3u8`, querystring: {}, headers: {} };
  const text = 'x'.repeat(200);
  const hmac = async () => createHmac('sha256', newer.secret).update(text).digest('base64url');
  const fastest = async (work: () => Promise<unknown>) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 30; round += 1) {
      const from = process.hrtime.bigint();
      for (let n = 0; n < 100; n += 1) await work();
      best = Math.min(best, Number(process.hrtime.bigint() - from));
    }
    return best;
  };
  await fastest(hmac);
  const [check, baseline] = [await fastest(() => run({ ...request })), await fastest(hmac)];
  expect(check / baseline).toBeLessThan(5);
});
