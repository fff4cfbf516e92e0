// @module-tag jobs
// @module-tag chunks
// @module-tag streams
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aParallelStage, type ParallelStage } from './parallel-stage.ts';

let stage: ParallelStage;

beforeAll(async () => {
  stage = await aParallelStage();
});

afterAll(() => stage?.stop());

it('a chunked stream in two codecs has the files of both, each encoded by tasks of its own', async () => {
  const job = await stage.ended(
    await stage.submit('/video.mp4', { speed: 'fast', preset: 'ultrafast', codecs: ['h264', 'h265'] }),
  );
  expect(job).toMatchObject({ state: 'completed', attempt: 1, chunking: { chunks: 3 } });
  const videos = ['90p', '90p-h265'].flatMap((name) => [name, `${name}-playlist`, `${name}-keyframes`]);
  expect(Object.keys(job.output_files ?? {}).toSorted()).toEqual(
    [...['hls', 'dash'], ...videos, ...['audio', 'audio-playlist']].toSorted(),
  );
  const { body } = await stage.running.api('GET', `/api/v1/jobs/${job.jobId}/log`);
  const { attempts } = body as { attempts: { commands: string[][] }[] };
  // Three chunks in each codec, the audio and the join.
  expect(attempts.map(({ commands }) => commands.length)).toEqual([3 * 2 + 1 + 1]);
});
