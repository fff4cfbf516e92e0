import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { type ChunkPlan, readPlan, type StoredObject } from '@media-jobs/video/chunking';
import { aChunkedWork, aProbe } from '@media-jobs/video/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { mediaFiles } from '../../../adapters/s3/media-files.ts';
import { workFiles } from '../../../adapters/s3/work-files.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { parseStorageUrl } from '../../../core/storage/storage-url.ts';
import type { FunctionPorts } from '../../../core/worker/ports.ts';
import { storeChunkPlan } from '../../../functions/transcode/store-chunk-plan.ts';
import { aProcessingJob, aRequest } from '../../builders/jobs/jobs.ts';
import { workerContext, workerPorts } from '../../builders/jobs/worker-ports.ts';
import { aMediaBucket, type MediaBucket } from '../../builders/storage/a-media-bucket.ts';

const video = Buffer.alloc(1_000, 'video');
const objectId = '0199f3d2-0000-7000-8000-000000000001';
const uploaded = `uploads/owner-1/${objectId}`;
const work = aChunkedWork({ source: { ...aChunkedWork().source, sizeBytes: video.length } });
const runs = [{ arguments: ['-i', 'input'], log: 'VMAF score: 95' }];

let bucket: MediaBucket;
let ports: FunctionPorts;
let sourcePath: string;
/** Keys in the order in which they were stored. */
let stored: string[];

beforeEach(async () => {
  bucket = await aMediaBucket();
  stored = [];
  const files = mediaFiles(bucket.client, bucket.bucket);
  const texts = workFiles(bucket.client, bucket.bucket);
  ports = workerPorts({
    files: {
      ...files,
      upload: async (file) => {
        stored.push(file.key);
        await files.upload(file);
      },
      ...texts,
      writeText: async (key, text) => {
        stored.push(key);
        await texts.writeText(key, text);
      },
    },
  });
  sourcePath = join(await aTemporaryFolder(), 'source');
  await writeFile(sourcePath, video);
});

const fromUrl = aProcessingJob();
const fromUpload = aProcessingJob({ request: { ...aRequest, input: { url: `upload://${objectId}/film.mp4` } } });

const storageProviderId = `sp_${'0'.repeat(32)}`;
const fromProvider = aProcessingJob({
  request: { ...aRequest, input: { storageProviderId, key: 'films/a film.mp4' } },
});

const store = (job: JobIn<'processing'>, differences: Partial<Parameters<typeof storeChunkPlan>[2]> = {}) =>
  storeChunkPlan(ports, workerContext({ job }), {
    work,
    sources: [{ path: sourcePath, sizeBytes: video.length }],
    inputs: [],
    runs,
    ...differences,
  });

const planAt = async (key: string) => readPlan((await ports.files.readText(key)) ?? '');

/** The object that a plan names as its source. */
function storedSource({ sources: [source] }: Pick<ChunkPlan, 'sources'>): StoredObject {
  if (!source || !('key' in source)) throw new TypeError('The source of the plan is no stored object');
  return source;
}

/** The last part of each key. */
const names = () => stored.map((key) => key.split('/').at(-1));

it('a downloaded source is stored before the plan', async () => {
  const { planKey } = await store(fromUrl);
  expect(planKey).toMatch(new RegExp(`^work/${fromUrl.jobId}/[0-9a-f]{32}/plan.json$`));
  expect(names()).toEqual(['source-0', 'plan.json']);
  const plan = await planAt(planKey);
  expect(plan).toMatchObject({ work, runs });
  const source = storedSource(plan);
  expect(await ports.files.find(source.key)).toEqual({ etag: source.etag, sizeBytes: video.length });
});

it('a source that is read in place is not copied, and the plan has no URL of it', async () => {
  const location = { input: 0, validator: { header: 'etag' as const, value: '"1"' }, sizeBytes: 60e9 };
  const { planKey } = await store(fromUrl, { sources: [{ location, sizeBytes: 60e9 }] });
  expect(names()).toEqual(['plan.json']);
  expect((await planAt(planKey)).sources).toEqual([location]);
});

/** A storage provider whose objects all have this version. */
function findingVersion(etag: string, sizeBytes = video.length): FunctionPorts['sources']['findStored'] {
  return async ({ url }) => {
    const stored = parseStorageUrl(url);
    return stored && { ...stored, etag, sizeBytes };
  };
}

describe('the key of the plan, which finished chunks share', () => {
  const inPlace = (version: string) => ({
    sources: [
      {
        location: { input: 0, validator: { header: 'etag' as const, value: version }, sizeBytes: video.length },
        sizeBytes: video.length,
      },
    ],
  });

  it('differs for another version of a source that is read in place', async () => {
    const first = await store(fromUrl, inPlace('"1"'));
    const replaced = await store(fromUrl, inPlace('"2"'));
    expect(replaced.planKey).not.toBe(first.planKey);
  });

  it('is the same for another signature of its URL', async () => {
    const signed = (signature: string) =>
      aProcessingJob({
        request: { ...aRequest, input: { url: `https://media.example/film.mp4?signature=${signature}` } },
      });
    const first = await store(signed('aa'), inPlace('"1"'));
    expect(await store(signed('bb'), inPlace('"1"'))).toMatchObject({ planKey: first.planKey });
  });

  it('differs for another version of an upload or of an object at a storage provider', async () => {
    await bucket.put(uploaded, video);
    const upload = await store(fromUpload);
    await bucket.put(uploaded, Buffer.alloc(video.length, 'other'));
    expect((await store(fromUpload)).planKey).not.toBe(upload.planKey);
    ports.sources.findStored = findingVersion('"1"');
    const object = await store(fromProvider);
    ports.sources.findStored = findingVersion('"2"');
    expect((await store(fromProvider)).planKey).not.toBe(object.planKey);
  });

  it('is the same for another copy of an intermediate', async () => {
    const intermediate = (key: string) => ({ sources: [{ location: { key, etag: '"1"' }, sizeBytes: video.length }] });
    const first = await store(fromUrl, intermediate('work/job-1/steps/a/output.mp4'));
    const again = await store(fromUrl, intermediate('work/job-1/steps/b/output.mp4'));
    expect(again.planKey).toBe(first.planKey);
  });
});

it('an uploaded source is not copied', async () => {
  const etag = await bucket.put(uploaded, video);
  const { planKey } = await store(fromUpload);
  expect(names()).toEqual(['plan.json']);
  expect((await planAt(planKey)).sources).toEqual([{ key: uploaded, etag }]);
});

it.each([
  ['is gone', async () => undefined],
  ['was replaced', () => bucket.put(uploaded, 'another film')],
])('a downloaded source is stored if the upload %s since', async (_, change) => {
  await change();
  const { planKey } = await store(fromUpload);
  expect(storedSource(await planAt(planKey)).key).toMatch(/^work\/.*\/source-0$/);
  expect(names()).toEqual(['source-0', 'plan.json']);
});

it('a source at a storage provider is not copied', async () => {
  ports.sources.findStored = findingVersion('"1"');
  const { planKey } = await store(fromProvider);
  expect(names()).toEqual(['plan.json']);
  expect((await planAt(planKey)).sources).toEqual([{ storageProviderId, key: 'films/a film.mp4', etag: '"1"' }]);
});

it.each([
  ['was replaced there', { etag: '"2"', sizeBytes: video.length + 1 }],
  ['has an ETag that ranges cannot use', { etag: 'W/"1"', sizeBytes: video.length }],
])('a downloaded source is stored if it %s', async (_, found) => {
  ports.sources.findStored = findingVersion(found.etag, found.sizeBytes);
  const { planKey } = await store(fromProvider);
  expect((await planAt(planKey)).sources).toMatchObject([{ key: expect.stringMatching(/^work\//) }]);
  expect(names()).toEqual(['source-0', 'plan.json']);
});

it('the overlay image is stored, and the plan has its version', async () => {
  const overlayPath = join(await aTemporaryFolder(), 'logo.png');
  await writeFile(overlayPath, 'logo');
  const overlay = aProbe([], { sizeBytes: 4 });
  const { planKey } = await store(fromUrl, { work: { ...work, overlay }, overlayPath });
  const { overlay: found } = await planAt(planKey);
  expect(await ports.files.find(found?.key ?? '')).toEqual({ etag: found?.etag, sizeBytes: 4 });
  expect(names()).toEqual(['source-0', 'overlay', 'plan.json']);
});

it('a later attempt at the same work reuses the stored source', async () => {
  const { planKey } = await store(fromUrl);
  const before = await planAt(planKey);
  stored = [];
  const next = { ...fromUrl, attempt: 2, leaseId: 'lease-2' };
  expect(await store(next)).toMatchObject({ planKey });
  expect(names()).toEqual(['plan.json']);
  expect(await planAt(planKey)).toEqual(before);
});

it('a stored source of another size is replaced', async () => {
  const { planKey } = await store(fromUrl);
  const source = storedSource(await planAt(planKey));
  await bucket.put(source.key, 'half a film');
  await store(fromUrl);
  expect((await planAt(planKey)).sources).toEqual([source]);
});

it('no plan is stored if the source could not be', async () => {
  const full = new Error('S3 does not answer');
  ports.files.upload = vi.fn().mockRejectedValue(full);
  await expect(store(fromUrl)).rejects.toThrow(full);
  expect(stored).toEqual([]);
});
