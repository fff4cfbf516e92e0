import { ClauseViolation, expectField } from '../expectation.ts';
import { buildAvi } from '../media/avi.ts';
import type { Inbox } from '../receiver.ts';
import type { SuiteRun } from '../run.ts';
import { submit, waitForTerminalState } from './submit.ts';
import { upload } from './upload.ts';

/** A job that has ended, and the webhooks about it where the stage can reach the suite. */
export type SampleJob = { jobId: string; inbox: Inbox | undefined; endedAtMs: number };

/** The ways in which a job of the suite ends; `several` completes with more than one output. */
export type SampleJobKind = 'completed' | 'several' | 'failed' | 'rejected' | 'cancelled';

const compress = { output: { format: 'mp4' }, recipe: { name: 'compress', crf: 20 } };

/** How each is made: by a film, by one that is cut off, by what is no film, and by a call. */
export const sampleJobs: Record<SampleJobKind, (run: SuiteRun) => Promise<SampleJob>> = {
  completed: (run) => endedJob(run, buildAvi({ seconds: 2 }), compress),
  several: (run) =>
    endedJob(run, buildAvi({ seconds: 2 }), {
      output: { format: 'jpg' },
      recipe: { name: 'thumbnails', every: 1 },
    }),
  failed: (run) => endedJob(run, buildAvi({ seconds: 20, secondsPresent: 2 }), compress),
  rejected: (run) => endedJob(run, Buffer.from('This is no film.\n'.repeat(99)), compress),
  cancelled: cancelledJob,
};

async function endedJob(run: SuiteRun, input: Buffer, request: object): Promise<SampleJob> {
  const url = await upload(run, input);
  const inbox = run.target.receiver && run.inbox();
  const jobId = await submit(run, { ...request, input: { url }, ...webhookTo(inbox) });
  await waitForTerminalState(run, jobId);
  return { jobId, inbox, endedAtMs: performance.now() };
}

const mostTries = 5;

/** A job may end before it can be cancelled: then another is tried. */
async function cancelledJob(run: SuiteRun): Promise<SampleJob> {
  const url = await upload(run, buildAvi({ seconds: 30 }));
  for (let tries = 0; tries < mostTries; tries += 1) {
    const inbox = run.target.receiver && run.inbox();
    const request = { ...compress, recipe: { name: 'compress', crf: 20, preset: 'slow' } };
    const jobId = await submit(run, { ...request, input: { url }, ...webhookTo(inbox) });
    const { status } = await run.api('POST', `/api/v1/jobs/${jobId}/cancel`);
    await waitForTerminalState(run, jobId);
    if (status === 200) return { jobId, inbox, endedAtMs: performance.now() };
  }
  throw new ClauseViolation(`${mostTries} jobs had ended before each could be cancelled`);
}

function webhookTo(inbox: Inbox | undefined): { webhookUrl?: string } {
  return inbox ? { webhookUrl: inbox.url } : {};
}

/** The job as it is read now. */
export async function readSampleJob(run: SuiteRun, ending: SampleJobKind): Promise<Record<string, unknown>> {
  const { jobId } = await run.sampleJob(ending);
  const { body } = await run.api('GET', `/api/v1/jobs/${jobId}`);
  return expectField({ body }, 'body', 'object');
}
