import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobResource } from '../../core/api/job-resource.ts';
import { synthesize } from '../../lib/build/synthesize.ts';
import { firstApiKey } from '../../lib/local/first-key.ts';
import { startSample } from '../../lib/local/sample-server.ts';
import { startLocalStage } from '../../lib/local/start-stage.ts';
import type { Log } from '../../local/log.ts';
import { readAssembly } from '../../local/template/assembly.ts';
import { planStage } from '../../local/template/stage-plan.ts';
import { type Answer, callWorker } from './call-worker.ts';
import type { Container } from './engine.ts';
import { completedJob, missingChunkEvent, recordJob, sqsMessageFor } from './one-job.ts';

export type Run = Pick<Answer, 'startMs' | 'workMs'> & {
  job: JobResource;
  /** Results of encode-chunk and join-chunks for a job that does not exist. */
  chunkWorkers: { name: string; answer: string }[];
};

/**
 * Runs every worker of the image once in its container, against a local stage: the transcoder on a job, the others on a
 * job that does not exist.
 *
 * @param clip a file to transcode; undefined for a generated clip
 */
export async function runOnce(container: Container, clip: string | undefined, log: Log): Promise<Run> {
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const dataDirectory = await mkdtemp(join(tmpdir(), 'media-jobs-image-'));
  const stage = await startLocalStage({ assemblyDirectory, dataDirectory, port: 0, log });
  const sample = await startSample(clip ?? join(dataDirectory, 'sample.mp4'), log);
  try {
    const { functions, queueMappings } = planStage(await readAssembly(assemblyDirectory), stage.endpoints);
    const workers = functions.filter(({ code }) => code.packageType === 'Image');
    const queueOf = (name: string) =>
      queueMappings.find(({ functionName }) => functionName === name)?.queueArn ?? '';
    const transcoder = workers.find(({ name }) => name.endsWith('-transcode'));
    if (!transcoder) throw new Error('The template has no transcoder.');
    const call = (plan: typeof transcoder, event: string) =>
      callWorker(container, { plan, event, endpoints: stage.endpoints, log });
    const jobId = await recordJob(stage, sample.clipUrl);
    const times = await call(transcoder, sqsMessageFor(jobId, queueOf(transcoder.name)));
    const chunkWorkers: Run['chunkWorkers'] = [];
    for (const plan of workers.filter((worker) => worker !== transcoder)) {
      const event = JSON.stringify(missingChunkEvent(queueOf(plan.name)));
      chunkWorkers.push({ name: plan.name, answer: (await call(plan, event)).payload });
    }
    return {
      job: await completedJob(stage, jobId, await firstApiKey(stage, dataDirectory)),
      chunkWorkers,
      ...times,
    };
  } finally {
    await sample.stop();
    await stage.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}
