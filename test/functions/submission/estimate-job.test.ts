import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import type { MeasuredSlowness } from '@media-jobs/video/cost-model';
import { inputLimitsSchema } from '@media-jobs/video/probe';
import { aProbe, aVideoStream } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { estimateJobContract } from '../../../core/api/estimate-job.ts';
import type { Job } from '../../../core/jobs/record.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { type PricedWorkers, pricedWorkersSchema } from '../../../core/pricing/fargate-computer.ts';
import { estimateJob } from '../../../functions/submission/estimate-job.ts';
import { memorySlowness } from '../../../lab/simulation/memory/encoder-slowness.ts';
import { memoryPresetTable } from '../../../lab/simulation/memory/preset-table.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { memoryStorageProviderTable } from '../../../lab/simulation/memory/storage-provider-table.ts';
import { pricedWorkers } from '../../../lib/priced-workers.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aProcessingJob, aRequest, start } from '../../builders/jobs/jobs.ts';
import { stageSpeeds } from '../../builders/jobs/stage-speeds.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';

const workers = pricedWorkersSchema.parse({
  architecture: 'arm64',
  memoryMb: 3008,
  retentionDays: 30,
  slowness: 1.3,
  timeoutSeconds: 900,
  chunking: chunkSettingsSchema.parse({}),
});
const storageProviderId = `sp_${'0'.repeat(32)}`;
const rules = { schemes: ['https' as const], reachable: [] };

/** The route on a stage with one job, and the text of its output. */
function aRoute({
  stored,
  text,
  slowness,
  deployed = workers,
  ...stage
}: { deployed?: PricedWorkers; stored?: Job; text?: string; slowness?: MeasuredSlowness } & Partial<
  Omit<typeof workers, 'slowness'>
> = {}) {
  const settings = memorySettingsTable();
  const providers = memoryStorageProviderTable();
  const presets = memoryPresetTable();
  const app = estimateJob({
    settings,
    providers,
    presets,
    jobs: { get: async () => stored },
    readOutput: async () => text,
    urlRules: { input: rules, webhook: rules, buckets: { buckets: [], region: 'us-east-1' } },
    workers: { ...deployed, ...stage },
    inputLimits: inputLimitsSchema.parse({}),
    speeds: stageSpeeds,
    clock: aVirtualClock(start),
    slowness: memorySlowness(slowness),
  });
  const call = (body: object) => callRoute(app, { body: estimateJobContract.body.parse(body) as never });
  return { call, settings, providers };
}

const probeRequest = { ...aRequest, recipe: { name: 'probe' }, output: { format: 'json' } };

function aCompletedProbe(storage?: StoredFile['storage']): Job {
  const files = { output: { key: 'jobs/1/1/output/output.json', storage } };
  return { ...aProcessingJob({ request: probeRequest }), state: 'completed', files } as unknown as Job;
}

const job = {
  mode: 'recipe',
  input: { url: 'https://media.example/in.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress' },
};
const media = { durationSeconds: 60, width: 1920, height: 1080, framesPerSecond: 30 };

describe('an estimate', () => {
  it('is that of the documentation on a stage with default settings', async () => {
    const { bodyExample, responses } = estimateJobContract;
    const deployed = pricedWorkers(readSettings({ default: {} }, 'default'));
    const { body } = await aRoute({ deployed }).call(bodyExample);
    expect(body).toEqual(responses[200].example);
  });

  it('has seconds and dollars, and parts that make up the price', async () => {
    const { status, body } = await aRoute().call({ ...job, media });
    expect(status).toBe(200);
    expect(estimateJobContract.responses[200].schema.parse(body)).toEqual(body);
    expect(body.seconds.p50).toBeGreaterThan(30);
    expect(body.seconds.p90).toBeGreaterThan(body.seconds.p50);
    expect(body.usd.p90).toBeGreaterThan(body.usd.p50);
    const sum = body.parts.reduce((total, { usd }) => total + usd, 0);
    expect(sum).toBeCloseTo(body.usd.p50, 9);
    expect(body.parts[0]?.name).toBe('transcoding');
    expect(body).toMatchObject({ chunks: 1, worker: 'function' });
  });

  it.each(['constructor', '__proto__', 'hasOwnProperty'])(
    'of the codec %s is that of an unknown one',
    async (codec) => {
      const { call } = aRoute();
      const unknown = await call({ ...job, media: { ...media, codec: 'unknown' } });
      expect(await call({ ...job, media: { ...media, codec } })).toEqual(unknown);
    },
  );

  it('is shorter and about as dear with more memory', async () => {
    const small = (await aRoute().call({ ...job, media })).body;
    const large = (await aRoute({ memoryMb: 10_240 }).call({ ...job, media })).body;
    expect(large.seconds.p50).toBeLessThan(small.seconds.p50 / 2);
    expect(large.usd.p50 / small.usd.p50).toBeCloseTo(1, 0);
  });

  it('uses the slowness that the workers of the stage measured', async () => {
    const short = { ...job, media: { ...media, durationSeconds: 20 } };
    const calibrated = (await aRoute().call(short)).body;
    const measured = (await aRoute({ slowness: { libx264: 2 } }).call(short)).body;
    expect(measured.seconds.p50 / calibrated.seconds.p50).toBeGreaterThan(1.6);
    const other = (await aRoute({ slowness: { libx265: 2 } }).call(short)).body;
    expect(other).toEqual(calibrated);
  });

  it('counts the chunks of a long video', async () => {
    const { body } = await aRoute().call({ ...job, media: { ...media, durationSeconds: 3600 } });
    expect(body.chunks).toBeGreaterThan(20);
    expect(body.worker).toBe('chunks');
    expect(body.parts.map(({ name }) => name)).toContain('chunks');
  });

  it('counts a chunk once, whether it is one task or more', async () => {
    const { call } = aRoute();
    const long = { ...job, media: { ...media, durationSeconds: 3600 } };
    const sized = { ...long, recipe: { name: 'transcode', bitrate: 3000 } };
    const inCodecs = {
      ...long,
      output: { format: 'm3u8' },
      recipe: { name: 'hls', codecs: ['h264', 'h265'] },
    };
    for (const each of [sized, inCodecs]) {
      const { body } = await call(each);
      expect(body.chunks).toBeGreaterThan(20);
      expect(body.chunks).toBeLessThanOrEqual(200);
    }
  });

  it('is rejected as the job would be: no function joins so long an encrypted stream, or encodes it alone', async () => {
    const recipe = { name: 'hls', codecs: ['h264', 'h265'] };
    const stream = {
      ...job,
      output: { format: 'm3u8' },
      recipe,
      media: { ...media, durationSeconds: 3 * 3600 },
    };
    const key = '00112233445566778899aabbccddeeff';
    const encryption = { scheme: 'aes-128', key, keyUri: 'https://keys.example/film' };
    const encrypted = aRoute().call({ ...stream, recipe: { ...recipe, encryption } });
    await expect(encrypted).rejects.toThrow(/the disk on which chunks are joined has 10 GB/);
    const clear = await aRoute().call(stream);
    expect(clear.body.chunks).toBeGreaterThan(20);
  });

  it('counts no transfer to a function that joins a stream, unless it is for a storage provider', async () => {
    const stream = { ...job, output: { format: 'm3u8' }, recipe: { name: 'hls' } };
    const hour = { ...stream, media: { ...media, durationSeconds: 3600 } };
    const { call, providers } = aRoute();
    await providers.create(aStorageProvider({ storageProviderId }));
    const { body } = await call(hour);
    const joined = await call({ ...hour, output: { ...hour.output, storageProviderId } });
    expect(joined.body.chunks).toBe(body.chunks);
    expect(joined.body.seconds.p50 - body.seconds.p50).toBeGreaterThan(10);
  });

  it("has no storage of files for the owner's default storage provider, unless the request keeps them here", async () => {
    const { call, settings, providers } = aRoute();
    await providers.create(aStorageProvider({ storageProviderId, kind: 's3' }));
    await settings.change('owner-1', { defaultStorageProviderId: storageProviderId }, start);
    const partsOf = async (output: object) =>
      (await call({ ...job, output, media })).body.parts.map(({ name }) => name);
    expect(await partsOf(job.output)).not.toContain('files');
    expect(await partsOf({ ...job.output, storageProviderId: null })).toContain('files');
  });

  it('has the transfer of files to a storage provider that is not Amazon S3', async () => {
    const { call, providers } = aRoute();
    await providers.create(aStorageProvider({ storageProviderId, kind: 'r2' }));
    const { parts } = (await call({ ...job, output: { ...job.output, storageProviderId }, media })).body;
    expect(parts.find(({ name }) => name === 'files')?.usd).toBeGreaterThan(0);
  });

  it('has the price of each output: its work, and its files for its own days or none at a provider', async () => {
    const { call, providers } = aRoute();
    await providers.create(aStorageProvider({ storageProviderId, kind: 's3' }));
    const made = { recipe: { name: 'compress' }, format: 'mp4' };
    const estimateOf = async (small: object) => {
      const outputs = {
        poster: { recipe: { name: 'thumbnail' }, format: 'jpg' },
        small: { ...made, ...small },
        same: made,
      };
      const { body } = await call({ mode: 'outputs', input: job.input, outputs, media });
      return body;
    };
    const { outputs = {}, usd } = await estimateOf({});
    const all = Object.values(outputs).reduce((sum, output) => sum + output.usd, 0);
    expect(all).toBeCloseTo(usd.p50, 5);
    expect(outputs.small).toEqual(outputs.same);
    expect(outputs.small?.usd).toBeGreaterThan(10 * (outputs.poster?.usd ?? 1));
    const kept = await estimateOf({ keepDays: 3_000 });
    expect(kept.usd.p50 - usd.p50).toBeCloseTo((kept.outputs?.small?.usd ?? 0) - (outputs.small?.usd ?? 0), 3);
    expect(kept.outputs?.small?.usd).toBeGreaterThan(1.2 * (outputs.small?.usd ?? 1));
    // What all of them share is divided by what each costs.
    expect(kept.outputs?.same?.usd).toBeCloseTo(outputs.same?.usd ?? 0, 3);
    const sent = await estimateOf({ storageProviderId });
    expect(sent.outputs?.small?.usd).toBeLessThan(outputs.small?.usd ?? 0);
  });

  it('takes several inputs, steps, a still image and files that parameters name', async () => {
    const { call } = aRoute();
    const inputs = [job.input, job.input];
    const { input: __, ...withoutInput } = job;
    const concat = { ...withoutInput, inputs, recipe: { name: 'concat' }, media };
    const steps = [{ recipe: { name: 'resize', width: 640 } }, { recipe: { name: 'compress' } }];
    const { recipe: _, ...withoutRecipe } = job;
    const pipeline = { ...withoutRecipe, mode: 'pipeline', steps, media };
    const still = { ...job, output: { format: 'webp' }, recipe: { name: 'image' } };
    const watermark = {
      ...job,
      recipe: { name: 'watermark', image: 'https://media.example/logo.png' },
      media,
    };
    const [one, two, three, four] = await Promise.all(
      [concat, pipeline, { ...still, media: { width: 800, height: 600 } }, watermark].map(call),
    );
    expect(one?.body.seconds.p50).toBeGreaterThan(2 * 20);
    expect(two?.body.seconds.p50).toBeGreaterThan(5);
    expect(two?.body.workers).toEqual({ 'step-1': 'function', 'step-2': 'function' });
    expect(three?.body.seconds.p50).toBeLessThan(10);
    expect(four?.body.seconds.p50).toBeGreaterThan(20);
  });

  it('reads a finished probe in place of the properties', async () => {
    const video = aVideoStream({ durationSeconds: 60, width: 1280, height: 720, codec: 'hevc' });
    const text = JSON.stringify(aProbe([video], { durationSeconds: 60 }));
    const stored = aCompletedProbe();
    const { body } = await aRoute({ stored, text }).call({ ...job, probeJobId: stored.jobId });
    expect(body.seconds.p50).toBeGreaterThan(10);
  });
});

describe('a request for an estimate is rejected', () => {
  it.each([
    ['without a source', { ...job }, /media: Give either media or probeJobId/],
    ['with two sources', { ...job, media, probeJobId: crypto.randomUUID() }, /Give either media or probeJobId/],
    ['with an unknown field', { ...job, media, colour: 'mauve' }, /colour/],
    ['with a parameter that the recipe does not have', { ...job, media, recipe: { name: 'mute', crf: 3 } }, /crf/],
  ])('%s', (_, body, message) => {
    const issues = estimateJobContract.body.safeParse(body).error?.issues ?? [];
    const text = issues.map(({ path, message: each }) => `${path.join('.')}: ${each}`).join('; ');
    expect(text).toMatch(message);
  });

  it('with a URL that a job must not have', async () => {
    const call = aRoute().call({ ...job, media, input: { url: 'https://127.0.0.1/in.mp4' } });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_URL' });
  });

  it('with a storage provider that the owner does not have', async () => {
    const call = aRoute().call({ ...job, media, output: { ...job.output, storageProviderId } });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'output.storageProviderId' }],
    });
  });

  it('with a source above a limit of the stage', async () => {
    const call = aRoute().call({ ...job, media: { ...media, durationSeconds: 40_000 } });
    await expect(call).rejects.toThrow(/lasts 40000 s; the limit is 28800 s/);
  });

  it('with a source that does not suit the recipe', async () => {
    const call = aRoute().call({ ...job, recipe: { name: 'hdr-to-sdr' }, media });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'media', message: expect.stringMatching(/HDR/) }],
    });
  });

  it('with a measured source that does not suit the recipe', async () => {
    const stored = aCompletedProbe();
    const { call } = aRoute({ stored, text: JSON.stringify(aProbe([aVideoStream()])) });
    const estimate = call({ ...job, recipe: { name: 'hdr-to-sdr' }, probeJobId: stored.jobId });
    await expect(estimate).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'probeJobId', message: expect.stringMatching(/HDR/) }],
    });
  });

  it('with a probe of an unknown job', async () => {
    const call = aRoute().call({ ...job, probeJobId: aCompletedProbe().jobId });
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each<[string, Job, string]>([
    ['of a job of another recipe', aProcessingJob(), 'The job is not one of the recipe probe'],
    ['that is not completed', aProcessingJob({ request: probeRequest }), 'The job is not completed: it is processing'],
    [
      'whose file is at a storage provider',
      aCompletedProbe({ storageProviderId, key: 'probe.json' }),
      'The file of the job is at a storage provider, where an estimate does not read it',
    ],
    ['whose file has expired', aCompletedProbe(), 'The file of the job has expired'],
  ])('with a probe %s', async (_, stored, message) => {
    const call = aRoute({ stored }).call({ ...job, probeJobId: stored.jobId });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'probeJobId', message }],
    });
  });
});
