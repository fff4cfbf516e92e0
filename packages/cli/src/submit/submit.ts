import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JobResource } from '@media-jobs/core/api';
import type { CommandContext } from '../context/command-context.ts';
import type { ExitName } from '../exit-codes.ts';
import { followJob } from '../follow/follow-jobs.ts';
import { formatBytes } from '../formatting/quantities.ts';
import { formatJob } from '../show/job-text.ts';
import { type DownloadedFile, downloadJobFiles, formatDownloads } from '../transfer/download-files.ts';
import { createOnce } from './create-once.ts';
import { prepareRequest, type Submission } from './prepare-request.ts';

/** Submits a job. With `--wait` or `--download` it also follows the job and downloads its files. */
export async function submit(context: CommandContext, submission: Submission): Promise<ExitName> {
  const { printResult, printNote, programName, setFailureHint } = context;
  const { wait = false, download, force = false } = submission.options;
  const body = await prepareRequest(context, submission);
  const { jobId, ...rest } = await createOnce(context, submission.options, (headers) =>
    context.client.createJob({ body, headers }),
  );
  const watchCommand = `${programName} watch ${jobId}`;
  if (!wait && download === undefined) {
    printResult({ jobId, ...rest }, jobId);
    printNote(`To follow it: ${watchCommand}`);
    return 'ok';
  }
  printNote(`Job ${jobId}`);
  setFailureHint({ jobId, hint: `The job keeps running. To watch it again: ${watchCommand}` });
  const job = await waitForJob(jobId, context);
  if (job.state !== 'completed' || download === undefined) return printJob(job, context);
  setFailureHint({
    jobId,
    hint: `The job is completed. To download its files: ${programName} download ${jobId} PATH`,
  });
  const path = download === true ? undefined : download;
  const inputs = submission.inputs.map((input) => resolve(context.workingDirectory, input));
  const files = await downloadJobFiles(job, context, { path, force, inputs });
  printResult({ ...job, downloads: files }, `${formatJob(job)}\n\n${formatDownloads(files)}`);
  if (isCompressed(job)) await printSaved(inputs, files, context);
  return 'ok';
}

/** Whether a smaller file is what the job is for: a clip or a GIF is smaller, too. */
function isCompressed({ request }: JobResource): boolean {
  return request.recipe?.name === 'compress';
}

/** Says what a job has saved, if one local file became one smaller file. */
async function printSaved(
  inputs: readonly string[],
  files: readonly DownloadedFile[],
  { printNote }: CommandContext,
): Promise<void> {
  const [input = '', file] = [inputs[0], files[0]];
  const size = inputs.length === 1 ? await stat(input).catch(() => undefined) : undefined;
  if (size === undefined || file === undefined || files.length > 1) return;
  const percent = Math.round((1 - file.sizeBytes / size.size) * 100);
  if (percent < 1) return;
  printNote(`${formatBytes(size.size)} became ${formatBytes(file.sizeBytes)}: ${percent} % saved.`);
}

async function waitForJob(
  jobId: string,
  { client, openProgressView, signal, sleep }: CommandContext,
): Promise<JobResource> {
  const view = openProgressView();
  return followJob(jobId, { client, view, signal, sleep }).finally(view.end);
}

function printJob(job: JobResource, { printResult, printNote }: CommandContext): ExitName {
  printResult(job, formatJob(job));
  if (job.state === 'completed') return 'ok';
  printNote(`The job ${job.state === 'failed' ? 'failed' : `was ${job.state}`}.`);
  return 'unsuccessful';
}
