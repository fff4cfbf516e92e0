import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../core/access/authentication.ts';
import { keyGrantSchema } from '../../../core/access/key-record.ts';
import type { SpendingLimits } from '../../../core/access/spending-limits.ts';
import type { createJobContract } from '../../../core/api/create-job.ts';
import { jobRequestSchema } from '../../../core/api/job-request.ts';
import { cancel } from '../../../core/jobs/ending-transitions.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import { deleteJob } from '../../../core/jobs/terminal-transitions.ts';
import { claim } from '../../../core/jobs/transitions.ts';
import { createJob } from '../../../functions/api/app/create-job.ts';
import type { RouteRequest } from '../../../functions/runtime/http/route.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { someContentKeys } from '../../builders/jobs/content-keys.ts';
import { aJobId, later, start } from '../../builders/jobs/jobs.ts';
import { aVirtualClock } from '../../builders/system/virtual-clock.ts';
import { memoryJobTable } from '../../memory/job-table.ts';
import { memoryReservations } from '../../memory/reservations.ts';
import { memorySettingsTable } from '../../memory/settings-table.ts';
import { memorySpendingAccounts } from '../../memory/spending-accounts.ts';
import { memoryStorageProviderTable } from '../../memory/storage-provider-table.ts';

type Body = RouteRequest<typeof createJobContract>['body'];

const body = {
  mode: 'recipe',
  input: { url: 'https://media.example/in.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
} as Body;
const rules = { schemes: ['https' as const], reachable: [] };
const failed = new Error('the service failed');

/** The route on a table in memory and a list of sent messages. Both can be made to fail. */
function aRoute(limits: SpendingLimits = {}) {
  const table = memoryJobTable();
  const clock = aVirtualClock(start);
  const spending = memorySpendingAccounts();
  const sent: string[] = [];
  const broken = { write: false, send: false };
  let ids = 0;
  const jobs: JobTable = {
    ...table,
    write: async (change) => {
      if (broken.write) throw failed;
      return table.write(change);
    },
  };
  const app = createJob({
    jobs,
    reservations: memoryReservations(),
    spending,
    settings: memorySettingsTable(),
    providers: memoryStorageProviderTable(),
    queue: {
      send: async ({ jobId }) => {
        if (broken.send) throw failed;
        sent.push(jobId);
      },
    },
    clock,
    newJobId: (createdAt) => aJobId(++ids, createdAt),
    randomBytes,
    urlRules: { input: rules, webhook: rules },
    contentKeys: someContentKeys,
    limits: { maxUnfinishedJobs: 3, ...limits },
  });
  const post = (more: Partial<Body> = {}, key?: string, caller: string | Principal = 'owner-1') => {
    const sentBody = { ...body, ...more } as Body;
    return callRoute(app, {
      ...(typeof caller === 'string' ? { ownerId: caller } : { principal: caller }),
      body: sentBody,
      rawBody: sentBody,
      headers: { 'idempotency-key': key },
    });
  };
  const list = async (ownerId = 'owner-1') => (await table.list({ ownerId, limit: 100 })).jobs;
  return { table, clock, sent, broken, post, list, spending };
}

describe('a new job', () => {
  it('is recorded and queued, and the response has its Location', async () => {
    const { post, list, sent } = aRoute();
    const response = await post();
    const [job] = await list();
    expect(response).toMatchObject({
      status: 201,
      headers: { location: `/api/v1/jobs/${job?.jobId}` },
      body: { jobId: job?.jobId, state: 'queued', progress: 0, createdAt: start.toISOString() },
    });
    expect(sent).toEqual([job?.jobId]);
  });

  it.each<[string, (stream: object) => object]>([
    ['of a recipe', (recipe) => ({ mode: 'recipe', recipe })],
    [
      'of the last step',
      (recipe) => ({ mode: 'pipeline', steps: [{ recipe: { name: 'mute' } }, { recipe }] }),
    ],
  ])('has its content key encrypted in its record, and nowhere in clear: %s', async (_, requestOf) => {
    const key = '00112233445566778899AABBCCDDEEFF';
    const encryption = { scheme: 'aes-128', keyUri: 'https://keys.example/film' } as const;
    const { post, list, table } = aRoute();
    const output = { format: 'm3u8' };
    const stream = { name: 'hls', encryption: { ...encryption, key } };
    const { body: created } = await post(
      jobRequestSchema.parse({ input: body.input, output, ...requestOf(stream) }) as Partial<Body>,
      'key-1',
    );
    const [job] = await list();
    if (job?.state !== 'queued') throw new Error('The job is queued');
    const { jobId, ownerId, contentKey } = job;
    expect(await someContentKeys.decrypt(contentKey?.encrypted ?? '', { ownerId, jobId })).toBe(
      key.toLowerCase(),
    );
    expect(contentKey?.jobId).toBe(jobId);
    const read = await table.get(job);
    for (const text of [created, job, read].map((each) => JSON.stringify(each))) {
      expect(text.toLowerCase()).not.toContain(key.toLowerCase());
      expect(text).toContain(JSON.stringify(encryption.keyUri));
    }
    expect(JSON.stringify(created)).not.toContain('contentKey');
  });

  it.each<[string, Partial<Body>, string]>([
    ['input', { input: { url: 'https://127.0.0.1/in.mp4' } }, 'input.url'],
    ['webhook', { webhookUrl: 'ftp://media.example/' }, 'webhookUrl'],
    [
      'watermark image',
      { recipe: { name: 'watermark', image: 'https://[::1]/logo.png' } } as Partial<Body>,
      'recipe.image',
    ],
    [
      'file of subtitles',
      { recipe: { name: 'burn-subtitles', subtitles: 'file:///etc/passwd' } } as Partial<Body>,
      'recipe.subtitles',
    ],
    [
      'second input',
      {
        input: undefined,
        inputs: [{ url: 'https://media.example/1.mp4' }, { url: 'https://10.0.0.1/2.mp4' }],
        recipe: { name: 'concat' },
      } as Partial<Body>,
      'inputs.1.url',
    ],
    [
      "step's image",
      {
        mode: 'pipeline',
        recipe: undefined,
        steps: [
          { recipe: { name: 'mute' } },
          { recipe: { name: 'watermark', image: 'https://x@y.example/' } },
        ],
      } as Partial<Body>,
      'steps.1.recipe.image',
    ],
  ])('with a forbidden %s is rejected, and neither the job nor the key is stored', async (_, wrong, path) => {
    const { post, list } = aRoute();
    await expect(post(wrong, 'key-1')).rejects.toMatchObject({
      code: 'INVALID_URL',
      details: [{ path, message: expect.any(String) }],
    });
    expect(await list()).toEqual([]);
    expect(await post({}, 'key-1')).toMatchObject({ status: 201 });
  });

  it('without a key is a new job each time', async () => {
    const { post, list } = aRoute();
    await post();
    await post();
    expect(await list()).toHaveLength(2);
  });

  it('whose message cannot be sent is an error', async () => {
    const { post, broken } = aRoute();
    broken.send = true;
    await expect(post()).rejects.toBe(failed);
  });
});

describe('an Idempotency-Key', () => {
  it('replays the first response with Idempotent-Replayed', async () => {
    const { post, list, clock } = aRoute();
    const first = await post({}, 'key-1');
    clock.pass(5_000);
    const again = await post({}, 'key-1');
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } });
    expect(await list()).toHaveLength(1);
  });

  it('accepts the same body with another order of fields', async () => {
    const { post, list } = aRoute();
    await post({ metadata: { a: '1', b: '2' } }, 'key-1');
    await post({ metadata: { b: '2', a: '1' } }, 'key-1');
    expect(await list()).toHaveLength(1);
  });

  it('rejects another body', async () => {
    const { post } = aRoute();
    await post({}, 'key-1');
    await expect(post({ metadata: { a: '1' } }, 'key-1')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('is scoped to its owner', async () => {
    const { post, list } = aRoute();
    await post({}, 'key-1');
    await post({ metadata: { a: '1' } }, 'key-1', 'owner-2');
    expect(await list('owner-2')).toHaveLength(1);
  });

  it('expires after 24 hours', async () => {
    const { post, list, clock } = aRoute();
    const day = 24 * 3_600_000;
    await post({}, 'key-1');
    clock.pass(day - 1_000);
    await post({}, 'key-1');
    expect(await list()).toHaveLength(1);
    clock.pass(2_000);
    await post({ metadata: { a: '1' } }, 'key-1');
    expect(await list()).toHaveLength(2);
  });

  it('makes one job of concurrent requests', async () => {
    const { post, list } = aRoute();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({}, 'key-1')));
    expect(new Set(answers.map(({ body: { jobId } }) => jobId)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  it.each(['write', 'send'] as const)('completes what a failed %s left undone', async (step) => {
    const { post, list, sent, broken } = aRoute();
    broken[step] = true;
    await expect(post({}, 'key-1')).rejects.toBe(failed);
    broken[step] = false;
    const { body: answered } = await post({}, 'key-1');
    expect(await list()).toMatchObject([{ jobId: answered.jobId, state: 'queued' }]);
    expect(sent).toEqual([answered.jobId]);
  });

  it('sets the due time of a job that only its replay wrote from the time of the replay', async () => {
    const { post, list, broken, clock } = aRoute();
    broken.write = true;
    await expect(post({}, 'key-1')).rejects.toBe(failed);
    broken.write = false;
    clock.pass(7_200_000);
    const { body } = await post({}, 'key-1');
    expect(body).toMatchObject({ createdAt: start.toISOString(), updatedAt: start.toISOString() });
    const [queuedAt, dueAt] = [later(7_200_000).toISOString(), later(7_500_000).toISOString()];
    expect(await list()).toMatchObject([{ createdAt: body.createdAt, queuedAt, dueAt }]);
  });

  it('replays the response for a job that is no longer queued, without a message', async () => {
    const { table, post, list, sent } = aRoute();
    const first = await post({}, 'key-1');
    const [job] = await list();
    if (job?.state !== 'queued') throw new Error('The job should be queued');
    await table.write(claim(job, 'lease-1', later(1_000)));
    expect((await post({}, 'key-1')).body).toEqual(first.body);
    expect(sent).toHaveLength(1);
    expect(await list()).toMatchObject([{ state: 'processing' }]);
  });

  it('does not recreate a deleted job', async () => {
    const { table, post, list } = aRoute();
    await post({}, 'key-1');
    const [job] = await list();
    if (job?.state !== 'queued') throw new Error('The job should be queued');
    const ending = { now: later(1_000), webhookTarget: null, deliveryId: 'delivery-1' };
    const { job: cancelled } = cancel(job, ending);
    await table.write(cancel(job, ending));
    await table.write(deleteJob(cancelled, later(2_000)));
    expect((await post({}, 'key-1')).status).toBe(201);
    expect(await list()).toEqual([]);
  });

  it('accepts the inputUrl of an upload unchanged', async () => {
    const { post, list } = aRoute();
    const url = 'upload://0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6/film.mp4';
    await post({ input: { url } });
    expect((await list()).map(({ request }) => request.input?.url)).toEqual([url]);
  });

  it('rejects a malformed inputUrl', async () => {
    const { post } = aRoute();
    await expect(post({ input: { url: 'upload://../../etc/passwd' } })).rejects.toMatchObject({
      code: 'INVALID_URL',
    });
  });
});

describe('the limit of unfinished jobs', () => {
  it('rejects the job that exceeds it with limit and use, until one has ended, and counts each owner apart', async () => {
    const { post, list, table } = aRoute();
    for (let n = 0; n < 3; n += 1) await post();
    await expect(post()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      retryAfterSeconds: 60,
      details: [{ limit: 'maxUnfinishedJobs', value: 3, use: 3 }],
    });
    expect(await list()).toHaveLength(3);
    expect(await post({}, undefined, 'owner-2')).toMatchObject({ status: 201 });
    const [newest] = await list();
    if (newest?.state !== 'queued') throw new Error('The job is queued');
    const { job, guard } = cancel(newest, { now: later(1_000), webhookTarget: null, deliveryId: 'd' });
    await table.write({ job, guard });
    expect(await post()).toMatchObject({ status: 201 });
  });

  it('answers a repeated request with its job, and admits no other under a new key', async () => {
    const { post, list } = aRoute();
    await post({}, 'key-1');
    for (let n = 0; n < 2; n += 1) await post();
    expect(await post({}, 'key-1')).toMatchObject({
      status: 201,
      headers: { 'idempotent-replayed': 'true' },
    });
    await expect(post({}, 'key-2')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await list()).toHaveLength(3);
  });
});

describe('a cap', () => {
  const day = start.toISOString().slice(0, 10);
  const spent = (usd: number) => ({ version: 1, spent: { [day]: usd * 1e9 }, reserved: {}, latest: [] });
  const ref = { ownerId: 'owner-1', jobId: aJobId(99) };
  const keyOf = (keyId: string, limits: SpendingLimits) =>
    keyGrantSchema.parse({ ownerId: 'owner-1', keyId, hash: keyId, limits });

  it('that is used up rejects a job with limit, use and the time to wait, until the UTC day ends', async () => {
    const { post, list, clock, spending } = aRoute({ usdPerDay: 2 });
    await spending.write(ref, spent(2.25));
    await expect(post()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('2026-03-02T00:00:00.000Z'),
      retryAfterSeconds: 12 * 3_600,
      details: [{ limit: 'usdPerDay', value: 2, use: 2.25 }],
    });
    expect(await list()).toEqual([]);
    expect((await post({}, undefined, 'owner-2')).status).toBe(201);
    clock.pass(12 * 3_600_000);
    expect((await post()).status).toBe(201);
  });

  it('of a month has a time to wait until its end', async () => {
    const { post, spending } = aRoute({ usdPerDay: 20, usdPerMonth: 2 });
    await spending.write(ref, spent(2));
    const error = { details: [{ limit: 'usdPerMonth' }], retryAfterSeconds: 30.5 * 86_400 };
    await expect(post()).rejects.toMatchObject(error);
  });

  it('of a key counts the jobs of the key and of the keys below it', async () => {
    const { post, list, spending } = aRoute();
    const [parent, child] = [keyOf('key-1', { usdPerDay: 2 }), keyOf('key-2', { usdPerDay: 1 })];
    const byKey = { ownerId: 'owner-1', caller: 'key' as const };
    const byChild = { ...byKey, key: child, ancestors: [parent] };
    await spending.write({ ...ref, keyId: 'key-2' }, spent(1));
    await expect(post({}, undefined, byChild)).rejects.toMatchObject({ details: [{ value: 1, use: 1 }] });
    expect((await post({}, undefined, { ...byKey, key: parent })).status).toBe(201);
    await spending.write({ ...ref, keyId: 'key-1' }, spent(2));
    const other = { ...byKey, key: keyOf('key-3', { usdPerDay: 1 }), ancestors: [parent] };
    await expect(post({}, undefined, other)).rejects.toMatchObject({ details: [{ value: 2, use: 2 }] });
    expect(await list()).toMatchObject([{ spendingCaps: [{ keyId: 'key-1', usdPerDay: 2 }] }]);
  });

  it('is not read for a caller without one', async () => {
    const { post, spending } = aRoute();
    spending.read = () => Promise.reject(new Error('No account is read'));
    expect((await post()).status).toBe(201);
  });
});
