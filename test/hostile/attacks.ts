import { randomBytes, randomUUID } from 'node:crypto';
import { newApiKey } from '../../core/access/key-record.ts';

/** A request to the API as the hostile owner, unless `credential` is another one, or null for none. */
type AttackRequest = { body?: unknown; credential?: string | null };

export type Attacker = {
  call(
    method: string,
    path: string,
    request?: AttackRequest,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Origin of a server with `/clip.mp4`, `/trickle.mp4`, `/cues.srt`, `/playlist.m3u8` and `/hang`. */
  origin: string;
  /** Jobs of another owner. */
  victimJobIds(): readonly string[];
};

/** What one owner can do to the others with requests. A round is sent again and again. */
export type Attack = {
  name: string;
  /** Sends one round of requests and returns their statuses. */
  round(attacker: Attacker): Promise<number[]>;
  /** The only statuses that the API may answer with. */
  statuses: readonly number[];
};

const together = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

const times = <Result>(count: number, make: (index: number) => Result) =>
  Array.from({ length: count }, (_, n) => make(n));

/** A signature of files in the right form, for an owner who may exist. */
const forgedSignature = { o: 'a'.repeat(22), e: (9_999_999_999).toString(36), s: 'A'.repeat(22) };

const compress = { name: 'compress', crf: 35 };

const aJob = (inputUrl: string, more: object = {}) => ({
  mode: 'recipe',
  input: { url: inputUrl },
  output: { format: 'mp4' },
  recipe: compress,
  ...more,
});

/** Submits jobs until the limit of unfinished jobs answers. */
const submitting = (name: string, job: (origin: string) => object): Attack => ({
  name,
  statuses: [201, 429],
  round: ({ call, origin }) => together(times(3, () => call('POST', '/api/v1/jobs', { body: job(origin) }))),
});

const hangingDefault = (origin: string) => ({ body: { defaultWebhookUrl: `${origin}/hang` } });

export const attacks: readonly Attack[] = [
  submitting('unfinished jobs without end', (origin) => aJob(`${origin}/clip.mp4`)),
  submitting('fast jobs, which would run in chunks', (origin) => aJob(`${origin}/clip.mp4`, { speed: 'fast' })),
  submitting('inputs that arrive slowly', (origin) => aJob(`${origin}/trickle.mp4`)),
  submitting('an input that names other files', (origin) => aJob(`${origin}/playlist.m3u8`)),
  submitting('subtitles of nine megabytes', (origin) =>
    aJob(`${origin}/clip.mp4`, { recipe: { name: 'burn-subtitles', subtitles: `${origin}/cues.srt` } }),
  ),
  submitting('receivers that never answer', (origin) =>
    aJob(`${origin}/playlist.m3u8`, { webhookUrl: `${origin}/hang` }),
  ),
  {
    name: 'webhook tests of a receiver that never answers',
    statuses: [200, 429],
    async round({ call, origin }) {
      const set = await call('PUT', '/api/v1/settings', hangingDefault(origin));
      return [set.status, ...(await together(times(3, () => call('POST', '/api/v1/settings/webhook/test'))))];
    },
  },
  {
    name: 'deleted jobs with many deliveries',
    statuses: [200, 202, 204, 404, 409, 429],
    async round({ call, origin }) {
      const set = await call('PUT', '/api/v1/settings', hangingDefault(origin));
      const { body } = await call('GET', '/api/v1/jobs?limit=50');
      const ended = ((body.jobs ?? []) as { jobId: string; state: string }[]).filter(
        ({ state }) => state !== 'queued' && state !== 'processing',
      );
      const statuses = [set.status];
      for (const { jobId } of ended.slice(0, 2)) {
        const path = `/api/v1/jobs/${jobId}`;
        statuses.push(...(await together(times(15, () => call('POST', `${path}/deliveries`)))));
        statuses.push((await call('DELETE', path)).status);
      }
      return statuses;
    },
  },
  {
    name: 'storage providers that never answer, or are at private addresses',
    statuses: [200, 201, 204, 400, 429],
    async round({ call, origin }) {
      const path = '/api/v1/storage-providers';
      const body = (endpoint: string) => ({
        name: 'hostile',
        kind: 's3-compatible',
        endpoint,
        bucket: 'metadata',
        access: { type: 'keys', accessKeyId: 'A'.repeat(20), secretAccessKey: 'b'.repeat(40) },
      });
      const rejected = await together(
        ['http://169.254.169.254', 'http://[::ffff:169.254.169.254]', 'http://2852039166', 'file:///etc'].map(
          (endpoint) => call('POST', path, { body: body(endpoint) }),
        ),
      );
      if (rejected.some((status) => status !== 400)) return [500, ...rejected];
      const made = await call('POST', path, { body: body(origin) });
      if (made.status !== 201) return [made.status];
      const own = `${path}/${made.body.id}`;
      const tested = await together(times(3, () => call('POST', `${own}/test`)));
      // Each test holds a function until the provider answers.
      if (!tested.includes(429)) return [500, ...tested];
      return [made.status, ...tested, (await call('DELETE', own)).status];
    },
  },
  {
    name: 'batches without end, whose manifests arrive slowly',
    statuses: [202, 429],
    round: ({ call, origin }) =>
      together(
        times(4, (n) => {
          const { input: _, ...request } = aJob(origin);
          const body = { manifestUrl: `${origin}/trickle.mp4?${n}`, request };
          return call('POST', '/api/v1/batches', { body });
        }),
      ),
  },
  {
    name: 'uploads by the terabyte',
    statuses: [201, 429],
    round: ({ call }) =>
      together(times(3, () => call('POST', '/api/v1/uploads', { body: { sizeBytes: 5_000_000_000 } }))),
  },
  {
    name: 'keys without end',
    statuses: [201, 429],
    round: ({ call }) =>
      together(times(3, (n) => call('POST', '/api/v1/keys', { body: { name: `one of many, ${n}` } }))),
  },
  {
    name: 'names of files on the open route',
    statuses: [403, 404],
    round: ({ call, victimJobIds: victims }) =>
      together(
        times(10, (n) => {
          const name = ['hls.m3u8', 'dash.mpd', 'output.mp4', `media_${n}.m3u8`, '..%2f..%2flog.vtt'][n % 5];
          const query = String(new URLSearchParams(forgedSignature));
          const id = victims()[0] ?? randomUUID();
          return call('GET', `/api/v1/jobs/${id}/files/output/${name}?${query}`, { credential: null });
        }),
      ),
  },
  {
    name: 'calls of strangers',
    statuses: [401],
    round: ({ call }) =>
      together(
        [null, 'nte_short', 'x'.repeat(5_000), newApiKey(randomBytes)].flatMap((credential) => [
          call('POST', '/api/v1/jobs', { credential, body: aJob('https://example.com/a.mp4') }),
          call('GET', '/api/v1/usage', { credential }),
        ]),
      ),
  },
  {
    name: 'jobs of another owner',
    statuses: [404],
    round: ({ call, victimJobIds: victims }) =>
      together(
        [...victims().slice(0, 2), randomUUID()].flatMap((id) => [
          call('GET', `/api/v1/jobs/${id}`),
          call('GET', `/api/v1/jobs/${id}/log`),
          call('POST', `/api/v1/jobs/${id}/cancel`),
          call('DELETE', `/api/v1/jobs/${id}`),
        ]),
      ),
  },
  {
    name: 'a key that gives itself more',
    statuses: [201, 204, 403, 429],
    async round({ call }) {
      const expiresAt = new Date(Date.now() + 600_000).toISOString();
      const own = { name: 'narrow', scopes: ['jobs:read', 'keys'], expiresAt };
      const made = await call('POST', '/api/v1/keys', { body: own });
      if (made.status !== 201) return [made.status];
      const credential = String(made.body.key);
      const wider = { credential, body: { ...own, scopes: ['jobs:read', 'jobs:write'] } };
      const rejected = await together([
        call('POST', '/api/v1/jobs', { credential, body: aJob('https://example.com/a.mp4') }),
        call('POST', '/api/v1/keys', wider),
        call('PUT', '/api/v1/settings', { credential, body: { defaultWebhookUrl: null } }),
      ]);
      const removed = await call('DELETE', `/api/v1/keys/${made.body.keyId}`);
      if (rejected.includes(201)) return [made.status, 200];
      return [made.status, ...rejected, removed.status];
    },
  },
];
