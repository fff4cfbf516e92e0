import { ClauseViolation, expectField } from '../expectation.ts';
import { buildAvi } from '../media/avi.ts';
import type { Inbox } from '../receiver.ts';
import type { SampleJob, SampleJobKind, SuiteRun } from '../suite-run.ts';
import { submit, upload, waitForTerminalState } from './jobs.ts';

const compress = { output: { format: 'mp4' }, recipe: { name: 'compress', crf: 20 } };

/** Creates a terminal job of each kind: from a video, a truncated video, a text file, and by cancelling. */
export const sampleJobs: Record<SampleJobKind, (run: SuiteRun) => Promise<SampleJob>> = {
  completed: (run) => runJob(run, buildAvi({ seconds: 2 }), compress),
  'multi-output': (run) =>
    runJob(run, buildAvi({ seconds: 2 }), {
      output: { format: 'jpg' },
      recipe: { name: 'thumbnails', every: 1 },
    }),
  failed: (run) => runJob(run, buildAvi({ seconds: 20, secondsPresent: 2 }), compress),
  rejected: (run) => runJob(run, Buffer.from('This is not a video.\n'.repeat(99)), compress),
  cancelled: cancelJob,
};

async function runJob(run: SuiteRun, input: Buffer, request: object): Promise<SampleJob> {
  const url = await upload(run, input);
  const inbox = run.target.receiver && run.inbox();
  const jobId = await submit(run, { ...request, input: { url }, ...webhookFields(inbox) });
  await waitForTerminalState(run, jobId);
  return { jobId, inbox, endedAtMs: performance.now() };
}

const maxCancelAttempts = 5;

/** A job may end before it can be cancelled. Then another one is submitted. */
async function cancelJob(run: SuiteRun): Promise<SampleJob> {
  const url = await upload(run, buildAvi({ seconds: 30 }));
  for (let attempt = 0; attempt < maxCancelAttempts; attempt += 1) {
    const inbox = run.target.receiver && run.inbox();
    const request = { ...compress, recipe: { name: 'compress', crf: 20, preset: 'slow' } };
    const jobId = await submit(run, { ...request, input: { url }, ...webhookFields(inbox) });
    const { status } = await run.api('POST', `/api/v1/jobs/${jobId}/cancel`);
    await waitForTerminalState(run, jobId);
    if (status === 200) return { jobId, inbox, endedAtMs: performance.now() };
  }
  throw new ClauseViolation(`${maxCancelAttempts} jobs ended before they could be cancelled`);
}

function webhookFields(inbox: Inbox | undefined): { webhookUrl?: string } {
  return inbox ? { webhookUrl: inbox.url } : {};
}

/** Reads the current job resource of a sample job. */
export async function readSampleJob(run: SuiteRun, kind: SampleJobKind): Promise<Record<string, unknown>> {
  const { jobId } = await run.sampleJob(kind);
  const { body } = await run.api('GET', `/api/v1/jobs/${jobId}`);
  return expectField({ body }, 'body', 'object');
}
