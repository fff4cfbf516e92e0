import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JobResource } from '../../core/api/job-resource.ts';
import { synthesize } from '../../lib/build/synthesize.ts';
import { firstApiKey } from '../../local/first-key.ts';
import { invocationDesk } from '../../local/lambda/invocation-desk.ts';
import { killProcessTree } from '../../local/lambda/process-tree.ts';
import { startRuntimeApi } from '../../local/lambda/runtime-api.ts';
import { sandboxEnvironment } from '../../local/lambda/sandbox-environment.ts';
import type { Log } from '../../local/log.ts';
import { startSample } from '../../local/sample/server.ts';
import { type Stage, startStage } from '../../local/stage.ts';
import { readAssembly } from '../../local/template/assembly.ts';
import { planStage } from '../../local/template/stage-plan.ts';
import type { Container } from './engine.ts';
import { completedJob, messageAbout, recordJob } from './one-job.ts';

export type Run = {
  job: JobResource;
  /** From the start of the container until it asked for work. */
  startMs: number;
  /** From the event to its answer. */
  workMs: number;
};

/** What the image's own entry point and command are. */
const command = ['node', 'node_modules/aws-lambda-ric/index.mjs', 'index.handler'];

/**
 * Runs the transcoder once in its container, as Lambda does: it asks this machine's Runtime API for work, gets the
 * message of one job, and does the job against the table and the bucket of a local stage.
 *
 * @param clip a file to transcode; undefined for a clip that is made
 */
export async function runOnce(container: Container, clip: string | undefined, log: Log): Promise<Run> {
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const dataDirectory = await mkdtemp(join(tmpdir(), 'media-jobs-image-'));
  const stage = await startStage({ assemblyDirectory, dataDirectory, port: 0, log });
  const sample = await startSample(clip ?? join(dataDirectory, 'sample.mp4'), log);
  try {
    const jobId = await recordJob(stage, sample.clipUrl);
    const times = await work(container, { stage, assemblyDirectory, jobId, log });
    return { job: await completedJob(stage, jobId, await firstApiKey(stage, dataDirectory)), ...times };
  } finally {
    await sample.stop();
    await stage.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

type Work = { stage: Stage; assemblyDirectory: string; jobId: string; log: Log };

async function work(container: Container, { stage, assemblyDirectory, jobId, log }: Work) {
  const plan = planStage(await readAssembly(assemblyDirectory), stage.endpoints);
  const [mapping] = plan.queueMappings;
  const transcoder = plan.functions.find(({ name }) => name === mapping?.functionName);
  if (!transcoder || !mapping) throw new Error('The template has no transcoder.');

  const desk = invocationDesk();
  const api = await startRuntimeApi({ onReady: desk.open, onInitError: desk.die, onResult: desk.settle });
  const startedAt = performance.now();
  const environment = sandboxEnvironment({
    plan: transcoder,
    endpoints: stage.endpoints,
    runtimeApi: api.address,
    temporaryDirectory: '/tmp',
    logStream: 'image',
  });
  // Its certificates are its own. Lambda tells every image that its code lies in /var/task.
  const { NODE_EXTRA_CA_CERTS: _, ...variables } = environment;
  const child = container.start(command, { ...variables, LAMBDA_TASK_ROOT: '/var/task' });
  child.once('exit', (code) =>
    desk.die({ errorType: 'Runtime.ExitError', errorMessage: `The container ended with code ${code}` }),
  );
  for (const output of [child.stdout, child.stderr]) {
    if (output) createInterface({ input: output }).on('line', (line) => log('container', line));
  }
  try {
    await desk.ready();
    const readyAt = performance.now();
    const requestId = randomUUID();
    const result = desk.take(requestId);
    const deadline = Date.now() + transcoder.timeoutSeconds * 1000;
    const payload = messageAbout(jobId, mapping.queueArn);
    api.offer({ requestId, payload, deadline, functionArn: transcoder.arn });
    const answer = await result;
    if (!answer.ok) throw new Error(`${answer.error.errorType}: ${answer.error.errorMessage}`);
    return { startMs: readyAt - startedAt, workMs: performance.now() - readyAt };
  } finally {
    if (child.pid !== undefined) killProcessTree(child.pid);
    await api.close();
  }
}
