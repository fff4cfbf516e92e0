// @module-tag jobs
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { generatedFile } from '@media-jobs/video/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { resolveStagePresets } from '../../lib/settings/stage-presets.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const bucket = 'team-media';
let running: RunningStage;
let client: S3Client;
let clip: Buffer;

beforeAll(async () => {
  const presets = await aTemporaryFolder();
  const request = { mode: 'recipe', output: { format: 'json' }, recipe: { name: 'probe' } };
  await writeFile(path.join(presets, 'describe@1.json'), JSON.stringify({ title: 'Describe', request, allow: [] }));
  resolveStagePresets(presets, new Date());
  const buckets = [
    { name: 'raw', bucket, prefix: 'raw/', access: 'read' },
    { name: 'out', bucket, prefix: 'out/', access: 'read-write' },
  ];
  const output = { storageProviderId: 'bucket:out', key: '{source}.json' };
  const watches = [
    { name: 'described', bucket, prefix: 'raw/', suffixes: ['.mp4', '.txt'], preset: 'describe', output },
  ];
  const assemblyDirectory = await anAssemblyWith({ presets, buckets, watches });
  running = await aRunningStage({ assemblyDirectory, buckets: [bucket] });
  client = new S3Client({ ...clientOptions(running.stage.endpoints.s3), forcePathStyle: true });
  clip = await readFile(
    await generatedFile('watched.mp4', ['-f', 'lavfi', '-i', 'color=red:size=64x64:rate=5:duration=1', '-an']),
  );
}, 300_000);

afterAll(async () => {
  client?.destroy();
  await running?.stop();
});

const put = (Key: string, Body: Buffer | string) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));

async function jobs(query = 'metadata.watch=described&limit=100'): Promise<JobResource[]> {
  const { body } = await running.api('GET', `/api/v1/jobs?${query}`);
  return (body as { jobs: JobResource[] }).jobs;
}

it('an object becomes a job, one that is no media a rejected one, and empty ones, folders and other suffixes none', async () => {
  for (const key of ['raw/empty.mp4', 'raw/folder.mp4/', 'raw/film.mov', 'other/film.mp4']) await put(key, '');
  await put('raw/film.mov', clip);
  await put('raw/a film+é.mp4', clip);
  await put('raw/notes.txt', 'no media');
  await vi.waitFor(
    async () => {
      const ended = (await jobs()).map(({ state, request }) => [state, request.input?.url]);
      expect(ended.sort()).toEqual([
        ['completed', `s3://${bucket}/raw/a film+é.mp4`],
        ['rejected', `s3://${bucket}/raw/notes.txt`],
      ]);
    },
    { timeout: 60_000, interval: 300 },
  );
});
