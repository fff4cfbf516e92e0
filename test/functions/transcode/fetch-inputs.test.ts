import { copyFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../../adapters/filesystem/workspace.ts';
import { JobError } from '../../../core/errors.ts';
import { inputLimitsSchema } from '../../../core/media/probe/input-limits.ts';
import { readSteps } from '../../../core/recipes/pipeline/steps.ts';
import { type FetchedInputs, fetchInputs } from '../../../functions/transcode/fetch-inputs.ts';
import type { WorkerContext, WorkerDeps } from '../../../functions/transcode/process-job.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { clipWith } from '../../builders/media/clips.ts';
import { anEncoder, aTemporaryDirectory } from '../../builders/recipes/encode.ts';

type Choice = Pick<WorkerDeps, 'download'> & Pick<WorkerDeps['encoder'], 'filters'>;

/** Fetches the one input of a job, by these ports and else with what this machine has. */
async function fetched({ download, filters }: Choice): Promise<FetchedInputs> {
  const job = aProcessingJob();
  const limits = inputLimitsSchema.parse({});
  const ports = { download, encoder: { ...anEncoder(), filters }, limits } as WorkerDeps;
  const context: WorkerContext = {
    job,
    lease: { report: () => undefined },
    signal: new AbortController().signal,
    deadline: new Date(Date.now() + 60_000),
  };
  const workspace = await openWorkspace(await aTemporaryDirectory());
  return fetchInputs(ports, context, { steps: readSteps(job.request), workspace });
}

const bringClip: WorkerDeps['download'] = async ({ path }) => {
  await copyFile(await clipWith(), path);
  return { bytes: 1_000 };
};

it('asks for the filters while the input comes', async () => {
  const asked = Promise.withResolvers<void>();
  const { filters } = await fetched({
    filters: async () => {
      asked.resolve();
      return new Set(['scale']);
    },
    download: async (request) => {
      await asked.promise;
      return bringClip(request);
    },
  });
  expect(filters).toEqual(new Set(['scale']));
});

const noAnswer = () => Promise.reject(new Error('ffmpeg does not start'));

it('fails where ffmpeg gives no answer', async () => {
  await expect(fetched({ filters: noAnswer, download: bringClip })).rejects.toThrow('ffmpeg does not start');
});

it('tells why an input did not come, where ffmpeg gave no answer before', async () => {
  const download = async () => {
    await setImmediate();
    throw new JobError('INPUT_UNREACHABLE', 'media.example answered 404', { retryable: false });
  };
  await expect(fetched({ filters: noAnswer, download })).rejects.toMatchObject({ code: 'INPUT_UNREACHABLE' });
});
