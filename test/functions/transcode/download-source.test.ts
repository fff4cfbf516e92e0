import { copyFile, stat } from 'node:fs/promises';
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

it('finds when the video ends once the source is on the disk', async () => {
  const stated = await recording('stated.mkv', { video: 2, audio: 8 });
  const source = await withoutStreamEnds(stated);
  const { size: bytes } = await stat(source);
  const encoder = anEncoder();
  const proxy = await aRangeProxyToFiles({ source });
  const remote = {
    readAt: (offset: number, length: number) => proxy.readAt('source', offset, length),
    sizeBytes: bytes,
  };
  const path = proxy.urlOf('source');
  const probe = await encoder.probe(path, { remote });
  expect(mainVideo(probe)?.durationSeconds).toBeUndefined();

  const job = aProcessingJob();
  const location = { key: `${workPrefix(job.jobId)}source`, etag: '"1"' };
  const download: MediaFiles['download'] = async (target) => {
    await copyFile(source, target.path);
    return { bytes };
  };
  const deps = workerPorts({ media: encoder });
  const downloaded = await downloadSource({ ...deps, files: { ...deps.files, download } }, workerContext({ job }), {
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
  expect(mainVideo(downloaded.fetched.inputs[0]?.probe ?? probe)?.durationSeconds).toBeCloseTo(2, 1);
});
