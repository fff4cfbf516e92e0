import { readFile } from 'node:fs/promises';
import { runningEncoders } from '@media-jobs/testing/running-encoders';
import { aWebServer } from '@media-jobs/testing/web-server';
import { clipWith, generatedFile } from '@media-jobs/video/testing';
import { expect, vi } from 'vitest';
import { aChangedAssembly } from '../builders/stage/changed-assembly.ts';
import { patience } from '../builders/stage/patience.ts';
import { aRunningStage } from '../builders/stage/running-stage.ts';
import { readJob, submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

// The worker reserves 30 s of its function's time-out: a job has 25 s here.
const workerTimeoutSeconds = 55;

export type WorkerStage = Awaited<ReturnType<typeof aWorkerStage>>;

/** A stage with a short time-out of its worker, and a customer with a short and a long clip. */
export async function aWorkerStage({ stallSeconds }: { stallSeconds: number }) {
  const assemblyDirectory = await aChangedAssembly((lambda) => {
    if (lambda.PackageType === 'Image') lambda.Timeout = workerTimeoutSeconds;
  });
  const files = { '/short.mp4': await clipWith(), '/long.mp4': await aLongClip() };
  const customer = await aWebServer(async ({ path }, response) => {
    response.end(await readFile(files[path as keyof typeof files]));
  });
  const running = await aRunningStage({
    assemblyDirectory,
    // The cost model expects a fast machine. Otherwise the long clip is rejected while planning.
    environment: { STALL_TIMEOUT_SECONDS: String(stallSeconds), PROCESSOR_SLOWNESS: '0.01' },
  });
  const submit = async (path: keyof typeof files, more: { keepDays?: null } = {}): Promise<string> => {
    const recipe = { name: 'compress', crf: 28, ...(path === '/long.mp4' && { preset: 'slower' }) };
    return (await submitJob(running.api, { input: { url: customer.origin + path }, recipe, ...more })).jobId;
  };
  const read = (jobId: string) => readJob(running.api, jobId);
  const encoders = () => runningEncoders(running.dataDirectory);
  return {
    running,
    submit,
    read,
    /** The process ids of the running ffmpegs. */
    encoders,
    ended: (jobId: string) => waitForJobEnd(running.api, jobId),
    /** Submits the long clip and waits until its ffmpeg runs. */
    async encoding(): Promise<string> {
      const jobId = await submit('/long.mp4');
      await vi.waitFor(async () => {
        expect(encoders()).not.toEqual([]);
        expect(await read(jobId)).toMatchObject({ state: 'processing', stage: 'transcoding' });
      }, patience);
      return jobId;
    },
  };
}

/** A clip whose encoding takes far longer than the time limit of a job. */
function aLongClip(): Promise<string> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=50:duration=60'];
  const recipe = [...pattern, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  return generatedFile('long.mp4', recipe);
}
