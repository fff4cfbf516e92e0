import { aProbe, aVideoStream } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { estimateJobContract } from '../../../core/api/estimate-job.ts';
import { pricedWorkers } from '../../../lib/priced-workers.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { aCompletedProbe, aRoute, job, media, storageProviderId } from '../../builders/http/estimate-job-route.ts';
import { start } from '../../builders/jobs/jobs.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';

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

  it.each(['constructor', '__proto__', 'hasOwnProperty'])('of the codec %s is that of an unknown', async (codec) => {
    const { call } = aRoute();
    const unknown = await call({ ...job, media: { ...media, codec: 'unknown' } });
    expect(await call({ ...job, media: { ...media, codec } })).toEqual(unknown);
  });

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
    const inCodecs = { ...long, output: { format: 'm3u8' }, recipe: { name: 'hls', codecs: ['h264', 'h265'] } };
    for (const each of [sized, inCodecs]) {
      const { body } = await call(each);
      expect(body.chunks).toBeGreaterThan(20);
      expect(body.chunks).toBeLessThanOrEqual(200);
    }
  });

  it('is rejected as the job would be: no function joins so long an encrypted stream, or encodes it alone', async () => {
    const recipe = { name: 'hls', codecs: ['h264', 'h265'] };
    const stream = { ...job, output: { format: 'm3u8' }, recipe, media: { ...media, durationSeconds: 3 * 3600 } };
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
    const watermark = { ...job, recipe: { name: 'watermark', image: 'https://media.example/logo.png' }, media };
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
