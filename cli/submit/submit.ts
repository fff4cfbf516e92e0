import { ApiError } from '../../client/api-error.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { shellQuote } from '../../formatting/command-line.ts';
import type { CommandContext } from '../context/command-context.ts';
import type { ExitName } from '../exit-codes.ts';
import { followJob } from '../follow/follow-jobs.ts';
import type { JobBody } from '../request/build-request.ts';
import { formatJob } from '../show/job-text.ts';
import { downloadJobFiles, formatDownloads } from '../transfer/download-files.ts';
import { prepareRequest, type Submission, type SubmitOptions } from './prepare-request.ts';

/** Submits a job. With `--wait` or `--download` it also follows the job and downloads its files. */
export async function submit(context: CommandContext, submission: Submission): Promise<ExitName> {
  const { printResult, printNote, programName, setFailureHint } = context;
  const { wait = false, download, force = false } = submission.options;
  const body = await prepareRequest(context, submission);
  const { jobId, ...rest } = await createJob(context, body, submission.options);
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
    hint: `The job is completed. To download its files: ${programName} download ${jobId}`,
  });
  const path = download === true ? undefined : download;
  const files = await downloadJobFiles(job, context, { path, force });
  printResult({ ...job, downloads: files }, `${formatJob(job)}\n\n${formatDownloads(files)}`);
  return 'ok';
}

/** Always sends an idempotency key, so that retrying after a lost response does not create a second job. */
function createJob(
  { client, newId, setFailureHint, programName }: CommandContext,
  body: JobBody,
  { idempotencyKey }: SubmitOptions,
): Promise<JobResource> {
  const key = idempotencyKey ?? newId();
  setFailureHint({
    hint: `The job may or may not have been submitted. A rerun with --idempotency-key ${shellQuote(key)} makes no second job. To check: ${programName} list`,
  });
  const headers = { 'idempotency-key': key };
  return client.createJob({ body, headers }).catch((error: unknown) => {
    if (error instanceof ApiError && isRejection(error)) setFailureHint({ hint: 'No job was submitted.' });
    throw error;
  });
}

/** Whether the service has answered that it did not accept the request, and can have accepted no earlier attempt. */
function isRejection({ status, followsLostAttempt }: ApiError): boolean {
  return status >= 400 && status < 500 && !followsLostAttempt;
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
