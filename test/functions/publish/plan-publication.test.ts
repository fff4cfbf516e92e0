import { expect, it } from 'vitest';
import { planPublication } from '../../../functions/publish/plan-publication.ts';
import type { DescribedOutput } from '../../../functions/worker/outputs.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';

/** The keys of the files of an HLS stream with subtitles, in their order. */
function keysOf(keyTemplate: string): string[] {
  const [stored] = Object.values(aCompletedJob().files);
  if (stored === undefined) throw new Error('The job has no file');
  const names = ['hls.m3u8', 'stream_0.mp4', 'subtitles_0.m3u8', 'subtitles_0.vtt'];
  const outputs = names.map(
    (name): DescribedOutput => ({
      name,
      path: `/tmp/${name}`,
      sizeBytes: 1,
      file: { ...stored, key: `jobs/job-1/1/${name}` },
    }),
  );
  const { publication, pathOf } = planPublication(outputs, {
    destination: { storageProviderId: 'sp_1', keyTemplate },
    prefix: 'videos',
    job: { jobId: 'job-1', createdAt: '2026-03-01T12:00:00.000Z' },
    mark: 'job-1/1',
    result: { inputSizeBytes: 1 },
  });
  expect(pathOf.size).toBe(outputs.length);
  return publication.uploads.map(({ key }) => key);
}

it.each([
  ['{date}/{name}.{extension}', 'videos/2026-03-01/subtitles_0.vtt'],
  ['{jobId}/video.{extension}', 'videos/job-1/video-subtitles_0.vtt'],
  ['{jobId}/{name}', 'videos/job-1/subtitles_0.vtt'],
])('no file replaces another of its job by the template %s', (template, subtitles) => {
  const keys = keysOf(template);
  expect(new Set(keys).size).toBe(4);
  expect(keys).toContain(subtitles);
});
