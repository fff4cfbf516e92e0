import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Stage } from '@media-jobs/local-stage';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import { runningEncoders } from '@media-jobs/testing/running-encoders';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { chunkSource, generatedFile } from '@media-jobs/video/testing';
import { expect, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import type { LocalStageOptions } from '../../lib/local/start-stage.ts';
import { patience } from '../builders/stage/patience.ts';
import { aRunningStage } from '../builders/stage/running-stage.ts';
import { readJob, submitJob, uploadFile, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

const chunks = chunkSettingsSchema.parse({ targetChunkSeconds: 3 });

type JobOptions = { speed: 'fast' | 'standard'; preset?: string; targetVmaf?: number };
export type ParallelStage = Awaited<ReturnType<typeof aParallelStage>>;

/** A stage that cuts videos into chunks of 3 s, and a customer with a short and a long video. */
export async function aParallelStage(options: Partial<LocalStageOptions> = {}) {
  const files = { '/video.mp4': await chunkSource('constantRate'), '/long.mp4': await aLongClip() };
  const customer = await aWebServer(async ({ path }, response) => {
    response.end(await readFile(files[path as keyof typeof files]));
  });
  const environment = { CHUNKING_SETTINGS: JSON.stringify(chunks), ...options.environment };
  const running = await aRunningStage({ ...options, environment });
  const read = (jobId: string) => readJob(running.api, jobId);
  /** Submits a job for a path of the customer or for an upload. */
  const submit = async (input: string, { speed, preset = 'veryfast', targetVmaf }: JobOptions): Promise<string> => {
    const { jobId } = await submitJob(running.api, {
      input: { url: input.startsWith('/') ? customer.origin + input : input },
      output: { format: 'mp4' },
      recipe: { name: 'compress', targetVmaf, crf: 28, preset },
      speed,
    });
    return jobId;
  };
  const encoders = () => runningEncoders(running.dataDirectory);
  return {
    running,
    /** The URL of the long video. */
    longUrl: `${customer.origin}/long.mp4`,
    submit,
    read,
    /** Uploads the short video; returns its `upload://` URL. */
    upload: () => uploadFile(running.api, files['/video.mp4']),
    /** Starts an execution with the name that the first attempt of a job uses, and another input. */
    occupyExecutionName: (jobId: string) => startExecution(running.stage, { name: `${jobId}-1`, chunks: [] }),
    /** Starts the execution of a job whose plan is not in the bucket. */
    startWithoutPlan: ({ ownerId, jobId, leaseId }: { ownerId: string; jobId: string; leaseId: string }) =>
      startExecution(running.stage, {
        name: `${jobId}-1`,
        ownerId,
        jobId,
        leaseId,
        planKey: `work/${jobId}/none/plan.json`,
        chunks: [{ chunk: 0, group: `${ownerId}#0` }],
      }),
    /** The process ids of the running ffmpegs. */
    encoders,
    ended: (jobId: string, onRead?: (job: JobResource) => void) => waitForJobEnd(running.api, jobId, onRead),
    /** Submits the long video and waits until ffmpeg encodes one of its chunks. */
    async encoding(preset = 'slower'): Promise<string> {
      const jobId = await submit('/long.mp4', { speed: 'fast', preset });
      await vi.waitFor(async () => {
        expect(await read(jobId)).toMatchObject({ state: 'processing', chunking: { chunks: 3 } });
        expect(encoders()).not.toEqual([]);
      }, patience);
      return jobId;
    },
  };
}

async function startExecution(
  { endpoints, resources }: Stage,
  {
    name,
    ...job
  }: { name: string; chunks: object[]; ownerId?: string; jobId?: string; leaseId?: string; planKey?: string },
): Promise<void> {
  const client = new SFNClient(clientOptions(endpoints.sfn));
  const stateMachineArn = resources.stateMachines.find((arn) => arn.endsWith('-parallel-transcode'));
  const input = JSON.stringify({
    ownerId: 'nobody',
    jobId: 'none',
    leaseId: 'none',
    planKey: 'none',
    first: [],
    group: 'nobody#0',
    ...job,
  });
  await client.send(new StartExecutionCommand({ stateMachineArn, name, input }));
  client.destroy();
}

/** Downloads the output of a job to a temporary directory; returns its path. */
export async function downloadOutput(job: JobResource): Promise<string> {
  const path = join(await aTemporaryFolder(), `${job.jobId}.mp4`);
  const answer = await fetch(job.output?.signedUrl ?? '');
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  return path;
}

/** A clip whose chunks take seconds to encode, and with the preset `slower` longer than a test. */
function aLongClip(): Promise<string> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=50:duration=12'];
  const recipe = [...pattern, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p'];
  return generatedFile('long-chunks.mp4', recipe);
}
