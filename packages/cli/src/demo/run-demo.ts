import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Client, createClient } from '@media-jobs/client';
import type { RecipeRequest } from '@media-jobs/video/recipes';
import { timedSleep } from '../context/timed-sleep.ts';
import { createProgressView } from '../show/progress-view.ts';
import { type LocalFile, uploadInput } from '../transfer/upload-from-disk.ts';
import type { DemoHost } from './demo-host.ts';
import type { DemoResult } from './demo-result.ts';
import { prepareInput } from './input.ts';
import { downloadOutput, verifyOutput } from './output.ts';
import { startReceiver } from './receiver.ts';
import { submitAndFollow } from './submit-and-follow.ts';

const dataDirectory = resolve('.local', 'demo');

/**
 * Runs one compress job on its own local stage, from the request to the downloaded file.
 * @throws Error unless the job completes, its webhook verifies and the file matches the record of the job
 */
export async function runDemo({ input: fileOrUrl, recipe, host, log }: DemoOptions): Promise<DemoResult> {
  await mkdir(dataDirectory, { recursive: true });
  await using cleanup = new AsyncDisposableStack();
  const input = await prepareInput(fileOrUrl, { directory: dataDirectory, host, log });
  const stage = await host.startStage(join(dataDirectory, 'stage'));
  cleanup.defer(stage.stop);
  log(`The service runs at ${stage.baseUrl}`);

  const client = createClient({ baseUrl: stage.baseUrl, apiKey: stage.apiKey });
  const receiver = await startReceiver(stage.signingSecret);
  cleanup.defer(receiver.close);

  const body = {
    mode: 'recipe' as const,
    input: { url: input.url ?? (await upload(client, input)) },
    output: { format: 'mp4' as const },
    recipe,
    webhookUrl: receiver.url,
  };
  const { job, seconds } = await submitAndFollow(client, body, createProgressView(process.stderr));
  const webhook = await receiver.first(30_000);
  if (!webhook.verified || webhook.jobId !== job.jobId) {
    throw new Error(`The webhook of job ${job.jobId} did not verify`);
  }
  const output = await downloadOutput(job, dataDirectory);
  await verifyOutput(job, output.path);
  log('Running ffmpeg alone with the same arguments, to compare times');
  return {
    jobId: job.jobId,
    state: job.state,
    inputBytes: input.sizeBytes,
    outputBytes: output.sizeBytes,
    seconds,
    ffmpegSeconds: await host.ffmpegSeconds(input.path, recipe),
    webhook: { attempts: receiver.attempts(), verified: webhook.verified },
    outputPath: output.path,
    output_files: job.output_files,
  };
}

function upload(client: Client, file: LocalFile): Promise<string> {
  const view = createProgressView(process.stderr);
  const { signal } = new AbortController();
  return uploadInput(file, { client, view, signal, sleep: timedSleep, newId: randomUUID }).finally(view.end);
}

export type DemoOptions = {
  /** A file or URL. Undefined generates a clip. */
  input: string | undefined;
  recipe: RecipeRequest;
  host: DemoHost;
  log: (line: string) => void;
};
