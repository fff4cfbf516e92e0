import type { JobResource } from '../../core/api/job-resource.ts';
import type { Exit } from '../exit-codes.ts';
import { followJob } from '../follow/follow-job.ts';
import type { JobBody } from '../request/build-request.ts';
import { filesText } from '../show/files-text.ts';
import { jobText } from '../show/job-text.ts';
import type { Tools } from '../tools/tools.ts';
import { fetchFiles } from '../transfer/fetch-files.ts';
import { prepareRequest } from './prepare-request.ts';
import type { Submission, SubmitOptions } from './submission.ts';

/** Submits a job and, where asked to, waits for its end and downloads its files. */
export async function submit(tools: Tools, submission: Submission): Promise<Exit> {
  const { answer, note, programName, nowThat } = tools;
  const { wait = false, download, force = false } = submission.options;
  const { jobId, ...rest } = await createJob(
    tools,
    await prepareRequest(tools, submission),
    submission.options,
  );
  const watchLine = `${programName} watch ${jobId}`;
  if (!wait && download === undefined) {
    answer({ jobId, ...rest }, jobId);
    note(`Follow it: ${watchLine}`);
    return 'ok';
  }
  note(`Job ${jobId}`);
  nowThat({ jobId, hint: `The job goes on. Watch it again: ${watchLine}` });
  const job = await endOf(jobId, tools);
  if (job.state !== 'completed' || download === undefined) return show(job, tools);
  nowThat({ jobId, hint: `The job is completed. Get its files: ${programName} download ${jobId}` });
  const files = await fetchFiles(job, tools, { asked: download === true ? undefined : download, force });
  answer({ ...job, downloads: files }, `${jobText(job)}\n\n${filesText(files)}`);
  return 'ok';
}

/** With an idempotency key always, so that a request whose answer was lost can be sent again. */
function createJob(
  { client, newId, nowThat, programName }: Tools,
  body: JobBody,
  { idempotencyKey }: SubmitOptions,
): Promise<JobResource> {
  nowThat({ hint: `Whether the job was submitted is not known: ${programName} list` });
  return client.createJob({ body, headers: { 'idempotency-key': idempotencyKey ?? newId() } });
}

async function endOf(jobId: string, { client, progress, signal, pause }: Tools): Promise<JobResource> {
  const view = progress();
  return followJob(jobId, { client, view, signal, pause }).finally(view.end);
}

function show(job: JobResource, { answer, note }: Tools): Exit {
  answer(job, jobText(job));
  if (job.state === 'completed') return 'ok';
  note(`The job ${job.state === 'failed' ? 'failed' : `was ${job.state}`}.`);
  return 'unsuccessful';
}
