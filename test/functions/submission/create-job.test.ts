import { describe, expect, it } from 'vitest';
import { jobRequestSchema } from '../../../core/api/job-request.ts';
import { aCreateJobRoute, type Body, body } from '../../builders/http/create-job-route.ts';
import { someContentKeys } from '../../builders/jobs/content-keys.ts';
import { later, start } from '../../builders/jobs/jobs.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';

describe('a new job', () => {
  it('is recorded and queued, and the response has its Location', async () => {
    const { post, list, sent } = aCreateJobRoute();
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
    ['of the last step', (recipe) => ({ mode: 'pipeline', steps: [{ recipe: { name: 'mute' } }, { recipe }] })],
  ])('has its content key encrypted in its record, and nowhere in clear: %s', async (_, requestOf) => {
    const key = '00112233445566778899AABBCCDDEEFF';
    const encryption = { scheme: 'aes-128', keyUri: 'https://keys.example/film' } as const;
    const { post, queued, table } = aCreateJobRoute();
    const output = { format: 'm3u8' };
    const stream = { name: 'hls', encryption: { ...encryption, key } };
    const { body: created } = await post(
      jobRequestSchema.parse({ input: body.input, output, ...requestOf(stream) }) as Partial<Body>,
      'key-1',
    );
    const job = await queued();
    const { jobId, ownerId, contentKey } = job;
    expect(await someContentKeys.decrypt(contentKey?.encrypted ?? '', { ownerId, jobId })).toBe(key.toLowerCase());
    expect(contentKey?.jobId).toBe(jobId);
    const read = await table.get(job);
    for (const text of [created, job, read].map((each) => JSON.stringify(each))) {
      expect(text.toLowerCase()).not.toContain(key.toLowerCase());
      expect(text).toContain(JSON.stringify(encryption.keyUri));
    }
    expect(JSON.stringify(created)).not.toContain('contentKey');
  });

  it.each<[string, string | undefined, number]>([
    ['a template', '{jobId}'.repeat(28), 1],
    ['the prefix alone', undefined, 200],
  ])('is rejected if %s makes keys that are longer than S3 accepts', async (_, key, frames) => {
    const { post, list, providers } = aCreateJobRoute();
    const provider = aStorageProvider({ prefix: '\u{1f39e}\u{1f3ac}'.repeat(frames) });
    await providers.create(provider);
    const output = { format: 'mp4', storageProviderId: provider.storageProviderId, key } as const;
    const details = [{ path: 'output.key', message: expect.stringContaining('at most 1024') }];
    await expect(post({ output })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
    expect(await list()).toEqual([]);
  });

  it('has one key for each output at a provider, and any at another provider', async () => {
    const { post, list, providers } = aCreateJobRoute();
    const [one, other] = ['a', 'b'].map((name) => aStorageProvider({ storageProviderId: `sp_${name}` }));
    if (one === undefined || other === undefined) throw new Error('Two were made');
    for (const provider of [one, other]) await providers.create(provider);
    const poster = { recipe: { name: 'thumbnail' }, format: 'jpg', key: 'film', storageProviderId: 'sp_a' };
    const job = (second: object) => {
      const outputs = { poster, cover: { ...poster, ...second } };
      return { mode: 'outputs', recipe: undefined, output: undefined, outputs } as unknown as Partial<Body>;
    };
    const details = [{ path: 'outputs.cover.key', message: 'The output poster has the same key' }];
    await expect(post(job({}))).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
    expect(await list()).toEqual([]);
    expect(await post(job({ storageProviderId: 'sp_b' }))).toMatchObject({ status: 201 });
    expect(await list()).toMatchObject([
      { destination: { ofOutputs: { poster: { storageProviderId: 'sp_a' }, cover: { storageProviderId: 'sp_b' } } } },
    ]);
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
        steps: [{ recipe: { name: 'mute' } }, { recipe: { name: 'watermark', image: 'https://x@y.example/' } }],
      } as Partial<Body>,
      'steps.1.recipe.image',
    ],
  ])('with a forbidden %s is rejected, and neither the job nor the key is stored', async (_, wrong, path) => {
    const { post, list } = aCreateJobRoute();
    await expect(post(wrong, 'key-1')).rejects.toMatchObject({
      code: 'INVALID_URL',
      details: [{ path, message: expect.any(String) }],
    });
    expect(await list()).toEqual([]);
    expect(await post({}, 'key-1')).toMatchObject({ status: 201 });
  });

  it('whose message cannot be sent is accepted, and is in the log: reconcile sends the message', async () => {
    const { post, list, broken, unsent } = aCreateJobRoute();
    broken.send = true;
    const { status, body: answered } = await post();
    expect([status, unsent]).toEqual([201, [answered.jobId]]);
    expect(await list()).toMatchObject([{ state: 'queued', dueAt: later(50_000).toISOString() }]);
  });

  it('keeps the inputUrl of an upload unchanged', async () => {
    const { post, list } = aCreateJobRoute();
    const url = 'upload://0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6/film.mp4';
    await post({ input: { url } });
    expect((await list()).map(({ request }) => request.input?.url)).toEqual([url]);
  });
});
