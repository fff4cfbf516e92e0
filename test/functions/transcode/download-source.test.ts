import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { mainVideo } from '@media-jobs/video/probe';
import { openWorkspace } from '@media-jobs/video/runner';
import { anEncoder, recording, withoutStreamEnds } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import type { MediaFiles } from '../../../core/jobs/ports.ts';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import { workPrefix } from '../../../core/jobs/stored-file.ts';
import { beginSteps } from '../../../functions/transcode/graph-state.ts';
import { downloadSource } from '../../../functions/transcode/remote-source.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { workerContext, workerPorts } from '../../builders/jobs/worker-ports.ts';
import { aRangeProxyToFiles } from '../../builders/storage/a-range-proxy.ts';

/** The probes of a source in place, and on the disk. */
async function download(source: string) {
  const { size: bytes } = await stat(source);
  const encoder = anEncoder();
  const proxy = await aRangeProxyToFiles({ source });
  const remote = {
    readAt: (offset: number, length: number) => proxy.readAt('source', offset, length),
    sizeBytes: bytes,
  };
  const path = proxy.urlOf('source');
  const probe = await encoder.probe(path, { remote });
  const job = aProcessingJob();
  const location = { key: `${workPrefix(job.jobId)}source`, etag: '"1"' };
  const copy: MediaFiles['download'] = async (target) => {
    await copyFile(source, target.path);
    return { bytes };
  };
  const deps = workerPorts({ media: encoder });
  const downloaded = downloadSource({ ...deps, files: { ...deps.files, download: copy } }, workerContext({ job }), {
    pass: { from: 0, to: 1 },
    state: beginSteps({
      steps: readSteps(job.request),
      workspace: await openWorkspace(await aTemporaryFolder()),
      fetched: {
        inputs: [{ path, probe }],
        remoteSource: { location, path, remote, proxy },
        assets: [],
        downloaded: [{ name: 'input-1', bytes }],
        inputSizeBytes: bytes,
        canCompare: false,
      },
    }),
  });
  return { probe, downloaded: downloaded.then(({ fetched: { inputs } }) => inputs[0]?.probe ?? probe) };
}

it('finds when the video ends once the source is on the disk', async () => {
  const stated = await recording('stated.mkv', { video: 2, audio: 8 });
  const { probe, downloaded } = await download(await withoutStreamEnds(stated));
  expect(mainVideo(probe)?.durationSeconds).toBeUndefined();
  expect(mainVideo(await downloaded)?.durationSeconds).toBeCloseTo(2, 1);
});

it('rejects a source that only its packets tell to be two files', async () => {
  const one = await readFile(await recording('one.flv', { video: 2, audio: 2 }));
  const path = join(await aTemporaryFolder(), 'two.flv');
  const headerBytes = 13;
  await writeFile(path, Buffer.concat([one, one.subarray(headerBytes)]));
  const { probe, downloaded } = await download(path);
  expect(probe.misreading).toBeUndefined();
  await expect(downloaded).rejects.toMatchObject({ code: 'INPUT_UNSUPPORTED' });
});
