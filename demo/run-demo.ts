import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bareFfmpegSeconds } from '../bench/harness/jobs/bare-ffmpeg.ts';
import { submitAndFollow } from '../bench/harness/submit-and-follow.ts';
import { timedPause } from '../cli/context/timed-pause.ts';
import { createProgressView } from '../cli/show/view-for.ts';
import type { LocalFile } from '../cli/transfer/upload-from-disk.ts';
import { uploadInput } from '../cli/transfer/upload-input.ts';
import { type Client, createClient } from '../client/client.ts';
import type { RecipeRequest } from '../core/recipes/registry.ts';
import { synthesize } from '../lib/build/synthesize.ts';
import { firstApiKey } from '../local/first-key.ts';
import { signingSecret } from '../local/signing-secret.ts';
import { startStage } from '../local/stage.ts';
import { prepareInput } from './input.ts';
import { checkOutput, downloadOutput } from './output.ts';
import { startReceiver } from './receiver.ts';
import type { DemoResult } from './summary.ts';

const dataDirectory = resolve('.local', 'demo');

/**
 * Runs one compress job on a stage of its own, from the request to the downloaded file. Throws, saying what went
 * wrong, unless the job completed, its webhook came and verified, and the file is what the record says.
 */
export async function runDemo({ input: asked, recipe, say }: DemoOptions): Promise<DemoResult> {
  await mkdir(dataDirectory, { recursive: true });
  await using cleanup = new AsyncDisposableStack();
  const input = await prepareInput(asked, dataDirectory, say);
  say('Preparing the stage from the deployment template (the first time takes some 20 s)');
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const stage = await startStage({
    assemblyDirectory,
    dataDirectory: join(dataDirectory, 'stage'),
    port: 0,
    log: () => undefined,
  });
  cleanup.defer(stage.stop);
  say(`The service runs at ${stage.baseUrl}`);

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
  if (!webhook.verified || webhook.jobId !== job.jobId) throw new Error('The webhook did not verify');
  const output = await downloadOutput(job, dataDirectory);
  await checkOutput(job, output.path);
  say('Running ffmpeg alone with the same arguments, to compare');
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
  return uploadInput(file, { client, view, signal, pause: timedPause }).finally(view.end);
}

export type DemoOptions = {
  /** A file or URL; a clip is made where there is none. */
  input: string | undefined;
  recipe: RecipeRequest;
  say: (line: string) => void;
};
