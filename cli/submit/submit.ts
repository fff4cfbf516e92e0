import type { JobResource } from '../../core/api/job-resource.ts';
import type { CommandContext } from '../context/command-context.ts';
import type { ExitName } from '../exit-codes.ts';
import { followJob } from '../follow/follow-job.ts';
import type { JobBody } from '../request/build-request.ts';
import { filesText } from '../show/files-text.ts';
import { jobText } from '../show/job-text.ts';
import { downloadJobFiles } from '../transfer/download-job-files.ts';
import { prepareRequest } from './prepare-request.ts';
import type { Submission, SubmitOptions } from './submission.ts';

/** Submits a job and, where asked to, waits for its end and downloads its files. */
export async function submit(tools: CommandContext, submission: Submission): Promise<ExitName> {
  const { printResult, printNote, programName, setFailureHint } = tools;
  const { wait = false, download, force = false } = submission.options;
  const { jobId, ...rest } = await createJob(
    tools,
    await prepareRequest(tools, submission),
    submission.options,
  );
  const watchLine = `${programName} watch ${jobId}`;
  if (!wait && download === undefined) {
    printResult({ jobId, ...rest }, jobId);
    printNote(`Follow it: ${watchLine}`);
    return 'ok';
  }
  printNote(`Job ${jobId}`);
  setFailureHint({ jobId, hint: `The job goes on. Watch it again: ${watchLine}` });
  const job = await endOf(jobId, tools);
  if (job.state !== 'completed' || download === undefined) return show(job, tools);
  setFailureHint({ jobId, hint: `The job is completed. Get its files: ${programName} download ${jobId}` });
  const files = await downloadJobFiles(job, tools, {
    asked: download === true ? undefined : download,
    force,
  });
  printResult({ ...job, downloads: files }, `${jobText(job)}\n\n${filesText(files)}`);
  return 'ok';
}

/** With an idempotency key always, so that a request whose answer was lost can be sent again. */
function createJob(
  { client, newId, setFailureHint, programName }: CommandContext,
  body: JobBody,
  { idempotencyKey }: SubmitOptions,
): Promise<JobResource> {
  setFailureHint({ hint: `Whether the job was submitted is not known: ${programName} list` });
  return client.createJob({ body, headers: { 'idempotency-key': idempotencyKey ?? newId() } });
}

async function endOf(
  jobId: string,
  { client, openProgressView, signal, pause }: CommandContext,
): Promise<JobResource> {
  const view = openProgressView();
  return followJob(jobId, { client, view, signal, pause }).finally(view.end);
}

function show(job: JobResource, { printResult, printNote }: CommandContext): ExitName {
  printResult(job, jobText(job));
  if (job.state === 'completed') return 'ok';
  printNote(`The job ${job.state === 'failed' ? 'failed' : `was ${job.state}`}.`);
  return 'unsuccessful';
}
