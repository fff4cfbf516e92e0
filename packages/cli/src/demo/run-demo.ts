import { randomUUID } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Client, createClient } from '@media-jobs/client';
import type { JobRequest, JobResource } from '@media-jobs/core/api';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { mainVideo } from '@media-jobs/video/probe';
import type { RecipeRequest } from '@media-jobs/video/recipes';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { timedSleep } from '../context/timed-sleep.ts';
import { followJob } from '../follow/follow-jobs.ts';
import { createProgressView, silentProgressView } from '../show/progress-view.ts';
import { destinations } from '../transfer/destinations.ts';
import { type DownloadedFile, downloadFiles } from '../transfer/download-files.ts';
import { downloadToDisk } from '../transfer/download-to-disk.ts';
import { findLocalFile, type LocalFile, uploadInput } from '../transfer/upload-from-disk.ts';
import type { DemoHost } from './demo-host.ts';
import { startReceiver } from './receiver.ts';

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

type DemoResult = {
  jobId: string;
  state: JobResource['state'];
  inputBytes: number;
  outputBytes: number;
  /** From the POST to the terminal record. */
  seconds: number;
  /** ffmpeg alone, with the same arguments on the same input. */
  ffmpegSeconds: number;
  webhook: { attempts: number; verified: boolean };
  outputPath: string;
  output_files: JobResource['output_files'];
};

export function formatResult(result: DemoResult): string {
  const { inputBytes, outputBytes, seconds, ffmpegSeconds, webhook, outputPath, output_files } = result;
  const file = output_files?.output;
  const savedPercent = Math.round((1 - outputBytes / inputBytes) * 100);
  const { attempts, verified } = webhook;
  const rows = [
    ['Size', `${formatMb(inputBytes)} before, ${formatMb(outputBytes)} after: ${savedPercent} % saved`],
    ['Result', `${file?.codec}, ${file?.width}x${file?.height}, ${file?.duration} s, ${file?.mime_type}`],
    [
      'Time',
      `${seconds.toFixed(1)} s from the request to the result; ffmpeg alone takes ${ffmpegSeconds.toFixed(1)} s`,
    ],
    ['Webhook', `${attempts} attempt${attempts === 1 ? '' : 's'}, signature ${verified ? 'verified' : 'NOT verified'}`],
    ['File', outputPath],
  ];
  return rows.map(([name = '', text]) => `  ${name.padEnd(8)} ${text}`).join('\n');
}

function formatMb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}

/** The input on disk. With `url`, the job reads the URL and nothing is uploaded. */
export type DemoInput = LocalFile & { url?: string };

const clipSeconds = 10;

/** Prepares the given file or URL, or generates a clip in `directory`. */
async function prepareInput(
  fileOrUrl: string | undefined,
  { directory, host, log }: { directory: string; host: DemoHost; log: (line: string) => void },
): Promise<DemoInput> {
  if (fileOrUrl !== undefined && /^https?:\/\//.test(fileOrUrl)) {
    log('Downloading the input, to compare sizes');
    return { ...(await downloadCopy(fileOrUrl, join(directory, 'input'))), url: fileOrUrl };
  }
  const path = fileOrUrl === undefined ? join(directory, 'clip.mp4') : resolve(fileOrUrl);
  if (fileOrUrl === undefined) {
    log(`Generating a clip: ${clipSeconds} s of video and audio, 1280x720`);
    await host.makeClip(path, clipSeconds);
  }
  return findLocalFile(path);
}

async function downloadCopy(url: string, path: string): Promise<LocalFile> {
  const { signal } = new AbortController();
  const onProgress = () => undefined;
  const options = { force: true, signal, sleep: timedSleep, newId: randomUUID, onProgress };
  const sizeBytes = await downloadToDisk({ url, path, ...options });
  return { path, sizeBytes };
}

/** Downloads the single output of a job to `<jobId>.mp4` in a directory. */
async function downloadOutput(job: JobResource, directory: string): Promise<DownloadedFile> {
  const files = await destinations(job, { path: `${job.jobId}.mp4`, workingDirectory: directory });
  const view = createProgressView(process.stderr);
  const { signal } = new AbortController();
  const options = { force: true, signal, sleep: timedSleep, newId: randomUUID, view };
  const [file] = await downloadFiles(files, options).finally(view.end);
  if (file === undefined) throw new Error(`The job is ${job.state} and has no output`);
  return file;
}

/**
 * Probes the downloaded file and compares it with the record of the job.
 * @throws Error with the field that differs
 */
async function verifyOutput(job: JobResource, path: string): Promise<void> {
  const record = job.output_files?.output;
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  const probe = await ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe }).probe(path);
  const video = mainVideo(probe);
  const { size } = await stat(path);
  const comparisons = [
    ['codec', record?.codec, video?.codec],
    ['width', record?.width, video?.width],
    ['height', record?.height, video?.height],
    ['duration', record?.duration?.toFixed(2), probe.durationSeconds?.toFixed(2)],
    ['size_mbytes', record?.size_mbytes, size / 1_000_000],
  ];
  for (const [name, recorded, probed] of comparisons) {
    if (recorded !== probed) throw new Error(`The record has ${name} ${recorded}, the file has ${probed}`);
  }
}

/**
 * Submits a job and follows it until it completes.
 * @returns the job, and the seconds from the request to the terminal record
 * @throws Error with the error of the job unless it completes
 */
export async function submitAndFollow(
  client: Client,
  body: JobRequest,
  view = silentProgressView,
): Promise<{ job: JobResource; seconds: number }> {
  const startedAtMs = Date.now();
  const { jobId } = await client.createJob({ body });
  const { signal } = new AbortController();
  const job = await followJob(jobId, { client, view, signal, sleep: timedSleep }).finally(view.end);
  if (job.state !== 'completed') {
    throw new Error(`The job was ${job.state}: ${job.error?.message ?? 'no reason given'}`);
  }
  return { job, seconds: (Date.parse(job.completedAt ?? '') - startedAtMs) / 1000 };
}
