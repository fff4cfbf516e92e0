// @module-tag jobs
// @module-tag chunks
import { audioSamples, frameTimes } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { patience } from '../builders/stage/patience.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { submitJob } from '../builders/stage/submitted-jobs.ts';
import { aParallelStage, downloadOutput, type ParallelStage } from './parallel-stage.ts';

let stage: ParallelStage;

beforeAll(async () => {
  stage = await aParallelStage();
});

const preset = 'ultrafast';

describe('a chunked job', () => {
  it('has the same frames and audio as a single pass and gives its reason', async () => {
    const [fast, standard] = await Promise.all([
      stage.ended(await stage.submit('/video.mp4', { speed: 'fast', preset })),
      stage.ended(await stage.submit('/video.mp4', { speed: 'standard', preset })),
    ]);
    expect(fast).toMatchObject({ state: 'completed', progress: 100, attempt: 1 });
    expect(fast.chunking).toEqual({
      chunks: 3,
      reason: expect.stringMatching(/^Encoded in 3 chunks of .* in parallel: the job requests speed$/),
    });
    expect(standard.chunking).toMatchObject({
      chunks: 1,
      reason: expect.stringMatching(/^Encoded in a single pass: .* standard speed allows/),
    });
    const [chunked, singlePass] = [await downloadOutput(fast), await downloadOutput(standard)];
    expect(await frameTimes(chunked)).toEqual(await frameTimes(singlePass));
    expect((await audioSamples(chunked)).length).toBe((await audioSamples(singlePass)).length);
    expect(fast.output_files?.output).toMatchObject({
      filename: 'video.mp4',
      duration: standard.output_files?.output?.duration,
    });
    expect(fast.inputSizeBytes).toBe(standard.inputSizeBytes);
  });

  it('leaves only its result and the upload in the bucket, and logs the commands of every chunk task', async () => {
    const { running } = stage;
    const job = await stage.ended(await stage.submit(await stage.upload(), { speed: 'fast' }));
    expect(job).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
    await vi.waitFor(async () => expect(await storedKeys(running, `work/${job.jobId}`)).toEqual([]), patience);
    expect(await storedKeys(running, `jobs/${job.jobId}`)).toHaveLength(1);
    expect(await storedKeys(running, 'uploads')).toHaveLength(1);
    const { body } = await running.api('GET', `/api/v1/jobs/${job.jobId}/log`);
    const { attempts } = body as { attempts: { commands: string[][] }[] };
    // Three chunks with their audio. No command joins them.
    expect(attempts.map(({ commands }) => commands.length)).toEqual([3]);
    expect(JSON.stringify(body)).not.toMatch(/X-Amz|AWSAccessKeyId|media-jobs-media/i);
  });

  it('that is a pipeline encodes each long step in chunks, and delivers the output of a named step', async () => {
    const { running } = stage;
    const { jobId } = await submitJob(running.api, {
      input: { url: await stage.upload() },
      steps: [
        { name: 'small', recipe: { name: 'resize', width: 128 } },
        { recipe: { name: 'compress', preset, crf: 28 } },
      ],
      speed: 'fast',
    });
    const progress: number[] = [];
    const job = await stage.ended(jobId, (read) => progress.push(read.progress));
    expect(job).toMatchObject({ state: 'completed', attempt: 2, chunking: { chunks: 6 } });
    expect(Object.keys(job.output_files ?? {}).toSorted()).toEqual(['output', 'small']);
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
    await vi.waitFor(async () => expect(await storedKeys(running, `work/${job.jobId}`)).toEqual([]), patience);
    expect(await storedKeys(running, `jobs/${job.jobId}`)).toHaveLength(2);
  });

  it('that is cancelled stops every chunk task and removes its work files', async () => {
    const jobId = await stage.encoding();
    await stage.running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
    await vi.waitFor(() => expect(stage.encoders()).toEqual([]), patience);
    expect(await stage.read(jobId)).toMatchObject({ state: 'cancelled', chunking: { chunks: 3 } });
    await vi.waitFor(async () => expect(await storedKeys(stage.running, jobId)).toEqual([]), patience);
  });
});
