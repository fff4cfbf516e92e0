import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hiddenCause, type Log } from '@media-jobs/local-stage';
import type { RecipeRequest } from '@media-jobs/video/recipes';
import { timedSleep } from '../cli/context/timed-sleep.ts';
import { createProgressView } from '../cli/show/progress-view.ts';
import { type LocalFile, uploadInput } from '../cli/transfer/upload-from-disk.ts';
import { type Client, createClient } from '../client/client.ts';
import { bareFfmpegSeconds } from '../lab/bench/harness/jobs/bare-ffmpeg.ts';
import { submitAndFollow } from '../lab/bench/harness/jobs/submit-and-follow.ts';
import { synthesize } from '../lib/build/synthesize.ts';
import { firstApiKey } from '../lib/local/first-key.ts';
import { signingSecret } from '../lib/local/stage-table.ts';
import { startLocalStage } from '../lib/local/start-stage.ts';
import type { DemoResult } from './demo-result.ts';
import { prepareInput } from './input.ts';
import { downloadOutput, verifyOutput } from './output.ts';
import { startReceiver } from './receiver.ts';

const dataDirectory = resolve('.local', 'demo');

/**
 * Runs one compress job on its own local stage, from the request to the downloaded file.
 * @throws Error unless the job completes, its webhook verifies and the file matches the record of the job
 */
export async function runDemo({ input: fileOrUrl, recipe, assembly, log }: DemoOptions): Promise<DemoResult> {
  await mkdir(dataDirectory, { recursive: true });
  await using cleanup = new AsyncDisposableStack();
  const input = await prepareInput(fileOrUrl, dataDirectory, log);
  const assemblyDirectory = assembly ?? (await synthesizedAssembly(log));
  const stage = await startLocalStage({
    assemblyDirectory,
    dataDirectory: join(dataDirectory, 'stage'),
    port: 0,
    log: hiddenCauses(log),
  });
  cleanup.defer(stage.stop);
  log(`The service runs at ${stage.baseUrl}`);

  const client = createClient({ baseUrl: stage.baseUrl, apiKey: await firstApiKey(stage, dataDirectory) });
  const receiver = await startReceiver(await signingSecret(stage));
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
    ffmpegSeconds: await bareFfmpegSeconds(input.path, recipe, 'mp4'),
    webhook: { attempts: receiver.attempts(), verified: webhook.verified },
    outputPath: output.path,
    output_files: job.output_files,
  };
}

function upload(client: Client, file: LocalFile): Promise<string> {
  const view = createProgressView(process.stderr);
  const { signal } = new AbortController();
  return uploadInput(file, { client, view, signal, sleep: timedSleep }).finally(view.end);
}

export type DemoOptions = {
  /** A file or URL. Undefined generates a clip. */
  input: string | undefined;
  recipe: RecipeRequest;
  /** The assembly to run; undefined synthesizes the stage `local`. */
  assembly: string | undefined;
  log: (line: string) => void;
};

/** Shows each cause once: what a job says of an error of the service does not tell its operator what to correct. */
function hiddenCauses(log: DemoOptions['log']): Log {
  const shown = new Set<string>();
  return (source, line) => {
    const cause = hiddenCause(source, line);
    if (cause === undefined || shown.has(cause)) return;
    shown.add(cause);
    log(`\n[${source}] ${cause}`);
  };
}

async function synthesizedAssembly(log: DemoOptions['log']): Promise<string> {
  log('Synthesizing the deployment template (about 20 s the first time)');
  return (await synthesize({ stage: 'local' })).assemblyDirectory;
}
