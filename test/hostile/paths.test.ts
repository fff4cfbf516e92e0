import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newJobId } from '../../functions/runtime/random.ts';
import { aCompletedJob } from '../builders/ended-jobs.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import { type RawAnswer, type RawRequest, sendRaw } from './raw-request.ts';
import { expectRefusal, invalid, notFound, type Refusal } from './refusal.ts';

const noPath = notFound('There is nothing at this path.');
const noJob = notFound('There is no such job.');
const noKey = notFound('There is no such API key.');
const noUploadId = notFound('There is no such upload.');
const noUpload = notFound('There is no such upload; it may be complete, or too old.');
const takes = (methods: string): Refusal => ({
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: `This path takes ${methods}.`,
});
const badCursor: Refusal = {
  status: 400,
  code: 'INVALID_CURSOR',
  message: 'cursor: use the nextCursor of an earlier answer, unchanged and with the same filters.',
};
const badLimit = invalid('query.limit', 'must be a whole number from 1 to 100');
const unknownQuery = (name: string) => invalid(`query.${name}`, 'Unknown field');

const base64url = (text: string) => Buffer.from(text).toString('base64url');

const jobs = '/api/v1/jobs';
const id = randomUUID();

const paths: [path: string, refusal: Refusal][] = [
  [`${jobs}/..`, noJob],
  [`${jobs}/../keys`, noPath],
  [`${jobs}/../../../etc/passwd`, noPath],
  [`${jobs}/%2e%2e`, noJob],
  [`${jobs}/%2e%2e/keys`, noPath],
  [`${jobs}/..%2fkeys`, noJob],
  [`${jobs}/..%252fkeys`, noJob],
  [`${jobs}/..%5ckeys`, noJob],
  [`${jobs}/..\\keys`, noJob],
  [`${jobs}/.;/keys`, noPath],
  ['/api%2fv1%2fjobs', noPath],
  [`${jobs}%2f${id}`, noPath],
  [`${jobs}/${id}%2flog`, noJob],
  [`${jobs}/%00`, noJob],
  [`${jobs}/${id}%00`, noJob],
  [`${jobs}%00`, noPath],
  [`${jobs}/%0d%0aX-Injected:%201`, noJob],
  [`${jobs}/%zz`, noJob],
  [`${jobs}/%ff`, noJob],
  [`${jobs}/%c0%ae%c0%ae`, noJob],
  [`${jobs}/%F0%9F%8E%AC`, noJob],
  [`${jobs}/*`, noJob],
  [`${jobs}/undefined`, noJob],
  [`${jobs}/__proto__`, noJob],
  [`${jobs}/JOB%23${id}`, noJob],
  [`${jobs}/${id}'%20OR%201=1`, noJob],
  [`${jobs}/${'x'.repeat(8_000)}`, noJob],
  [`${jobs}/${id}`, noJob],
  [`${jobs}/`, noPath],
  [`${jobs}/${id}/`, noPath],
  [`/api/v1//jobs`, noPath],
  [`/${jobs}`, noPath],
  ['/API/V1/JOBS', noPath],
  [`${jobs};a=b`, noPath],
  [`${jobs}#fragment`, noPath],
  ['/api/v2/jobs', noPath],
  ['/', noPath],
  ['*', noPath],
  [`http://evil.example${jobs}`, noPath],
];

const methods: [method: string, path: string, refusal: Refusal][] = [
  ['PATCH', jobs, takes('GET, POST')],
  ['DELETE', jobs, takes('GET, POST')],
  ['TRACE', jobs, takes('GET, POST')],
  ['PROPFIND', jobs, takes('GET, POST')],
  ['QUERY', jobs, takes('GET, POST')],
  ['PUT', `${jobs}/${id}`, takes('DELETE, GET')],
  ['GET', `${jobs}/${id}/cancel`, takes('POST')],
  ['POST', '/api/v1/recipes', takes('GET')],
  ['DELETE', '/api/v1/settings', takes('GET, POST, PUT')],
  ['GET', `/api/v1/keys/${id}`, takes('DELETE')],
  ['PATCH', `${jobs}/`, noPath],
];

const queries: [query: string, refusal: Refusal][] = [
  ...['0', '-1', '1000000000', '1e9', 'abc', '', '101', '2.5', '%2B5', '%00', '%ff', '1&limit=2'].map(
    (limit): [string, Refusal] => [`limit=${limit}`, badLimit],
  ),
  ...['', 'abc', '%00', 'null', 'a'.repeat(8_000), base64url(`${id}.0123456789abcdef`)].map(
    (cursor): [string, Refusal] => [`cursor=${cursor}`, badCursor],
  ),
  ['limit[]=1', unknownQuery('limit[]')],
  ['__proto__=1', unknownQuery('__proto__')],
  ['constructor=1', unknownQuery('constructor')],
  ['ownerId=bob', unknownQuery('ownerId')],
  ['%zz=1', unknownQuery('%zz')],
  [
    'createdAfter=yesterday',
    invalid('query.createdAfter', 'must be a time with an offset, such as 2026-03-01T12:00:00Z'),
  ],
];

let world: ClosedStage;
const hers = { job: '', key: '', upload: '' };
beforeAll(async () => {
  world = await aClosedStage();
  const { ownerId, key, token } = world.alice;
  hers.job = newJobId(new Date());
  for (const jobId of [hers.job, newJobId(new Date())]) await world.store(aCompletedJob({ ownerId, jobId }));
  const made = await world.sendAs(token)('/api/v1/keys', { method: 'POST', body: { name: 'hers' } });
  hers.key = (made.body as { keyId: string }).keyId;
  const sizeBytes = 6 * 1024 ** 3;
  const upload = await world.sendAs(key)('/api/v1/uploads', { method: 'POST', body: { sizeBytes } });
  hers.upload = (upload.body as { uploadId: string }).uploadId;
});
afterAll(() => world?.stop());

const as = (credential: string, request: RawRequest): Promise<RawAnswer> =>
  sendRaw(world.stage.baseUrl, {
    ...request,
    headers: [['Authorization', `Bearer ${credential}`], ...(request.headers ?? [])],
  });
const bob = (request: RawRequest) => as(world.bob.key, request);

describe('the path', () => {
  it.each(paths)('%s leads nowhere', async (target, refusal) => {
    expectRefusal(await bob({ target }), refusal);
  });
});

describe('the method', () => {
  it.each(methods)('%s of %s is refused', async (method, target, refusal) => {
    const answer = await bob({ method, target });
    expectRefusal(answer, refusal);
    if (refusal.status === 405) expect(refusal.message).toBe(`This path takes ${answer.headers.allow}.`);
  });

  it('HEAD is refused without a word', async () => {
    expect(await bob({ method: 'HEAD', target: jobs })).toMatchObject({ status: 405, text: '' });
  });

  it('that a header would put in place of the real one counts for nothing', async () => {
    const target = `${jobs}/${hers.job}`;
    const override = await as(world.alice.key, { target, headers: [['X-HTTP-Method-Override', 'DELETE']] });
    expect(override.status).toBe(200);
    expect((await as(world.alice.key, { target })).status).toBe(200);
  });
});

describe('the query', () => {
  it.each(queries)('%s is refused', async (query, refusal) => {
    expectRefusal(await bob({ target: `${jobs}?${query}` }), refusal);
  });

  it("cursor of another owner's list, or of another filter, is refused", async () => {
    const page = await as(world.alice.key, { target: `${jobs}?limit=1` });
    const { nextCursor } = JSON.parse(page.text) as { nextCursor: string };
    expect(nextCursor).toBeTruthy();
    expectRefusal(await bob({ target: `${jobs}?cursor=${nextCursor}` }), badCursor);
    const filtered = `${jobs}?state=failed&cursor=${nextCursor}`;
    expectRefusal(await as(world.alice.key, { target: filtered }), badCursor);
  });
});

describe("another owner's", () => {
  it.each<[string, () => string, Refusal]>([
    ['GET', () => `${jobs}/${hers.job}`, noJob],
    ['DELETE', () => `${jobs}/${hers.job}`, noJob],
    ['GET', () => `${jobs}/${hers.job}/log`, noJob],
    ['POST', () => `${jobs}/${hers.job}/cancel`, noJob],
    ['POST', () => `${jobs}/${hers.job}/retry`, noJob],
    ['GET', () => `${jobs}/${hers.job}/deliveries`, noJob],
    ['POST', () => `${jobs}/${hers.job}/deliveries`, noJob],
  ])('job is unknown to %s, call %#', async (method, target, refusal) => {
    expectRefusal(await bob({ method, target: target() }), refusal);
  });

  it('key is unknown', async () => {
    const target = `/api/v1/keys/${hers.key}`;
    expectRefusal(await as(world.bob.token, { method: 'DELETE', target }), noKey);
  });

  it.each<[string, () => string, Refusal]>([
    ['that of her upload', () => hers.upload, noUpload],
    ['no id of any', () => 'abc.def', noUploadId],
    ['a path', () => '..%2f..', noUploadId],
    ['a path in the part that S3 reads', () => `${id}.${base64url('../../..')}`, noUpload],
  ])('upload, its id %s, is unknown', async (_, uploadId, refusal) => {
    const body = JSON.stringify({ parts: [{ partNumber: 1, etag: '"x"' }] });
    const answer = await bob({
      method: 'POST',
      target: `/api/v1/uploads/${uploadId()}/complete`,
      headers: [['Content-Type', 'application/json']],
      body,
    });
    expectRefusal(answer, refusal);
  });
});

describe('a Host', () => {
  it.each<[string, RawRequest['headers']]>([
    ['of an attacker', [['Host', 'evil.example']]],
    ['of the loopback interface', [['Host', '127.0.0.1:1']]],
    ['that is empty', [['Host', '']]],
    ['that is no host', [['Host', 'a b@c/..?d']]],
    [
      'sent twice',
      [
        ['Host', 'evil.example'],
        ['Host', 'media.example'],
      ],
    ],
    [
      'that was forwarded',
      [
        ['X-Forwarded-Host', 'evil.example'],
        ['Forwarded', 'host=evil.example'],
      ],
    ],
    [
      'in a path that was rewritten',
      [
        ['X-Original-URL', '/api/v1/keys'],
        ['X-Rewrite-URL', '/api/v1/keys'],
      ],
    ],
  ])('%s changes nothing of an answer', async (_, headers = []) => {
    const target = `${jobs}/${hers.job}`;
    const answer = await as(world.alice.key, { target, headers });
    expect(answer).toMatchObject({ status: 200 });
    expect(JSON.stringify(answer)).not.toContain('evil.example');
    const { etag } = answer.headers;
    expect(etag).toBe((await as(world.alice.key, { target })).headers.etag);
  });

  it('of an attacker is in no Location', async () => {
    const { headers } = await as(world.alice.key, {
      method: 'POST',
      target: `${jobs}/${hers.job}/retry`,
      headers: [['Host', 'evil.example']],
    });
    expect(headers.location ?? '').not.toContain('evil.example');
  });
});
