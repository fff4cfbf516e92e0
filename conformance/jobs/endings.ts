import { Broken, expectField } from '../expectation.ts';
import { aviOf } from '../media/avi.ts';
import type { Inbox } from '../receiver.ts';
import type { Run } from '../run.ts';
import { endOf, submit } from './submit.ts';
import { upload } from './upload.ts';

/** A job that has ended, and the webhooks about it where the stage can reach the suite. */
export type EndedJob = { jobId: string; inbox: Inbox | undefined; endedAtMs: number };

/** The ways in which a job of the suite ends; `several` completes with more than one output. */
export type Ending = 'completed' | 'several' | 'failed' | 'rejected' | 'cancelled';

const compress = { output: { format: 'mp4' }, recipe: { name: 'compress', crf: 20 } };

/** How each is made: by a film, by one that is cut off, by what is no film, and by a call. */
export const endings: Record<Ending, (run: Run) => Promise<EndedJob>> = {
  completed: (run) => endedJob(run, aviOf({ seconds: 2 }), compress),
  several: (run) =>
    endedJob(run, aviOf({ seconds: 2 }), {
      output: { format: 'jpg' },
      recipe: { name: 'thumbnails', every: 1 },
    }),
  failed: (run) => endedJob(run, aviOf({ seconds: 20, secondsPresent: 2 }), compress),
  rejected: (run) => endedJob(run, Buffer.from('This is no film.\n'.repeat(99)), compress),
  cancelled: cancelledJob,
};

async function endedJob(run: Run, input: Buffer, request: object): Promise<EndedJob> {
  const url = await upload(run, input);
  const inbox = run.target.receiver && run.inbox();
  const jobId = await submit(run, { ...request, input: { url }, ...webhookTo(inbox) });
  await endOf(run, jobId);
  return { jobId, inbox, endedAtMs: performance.now() };
}

const mostTries = 5;

/** A job may end before it can be cancelled: then another is tried. */
async function cancelledJob(run: Run): Promise<EndedJob> {
  const url = await upload(run, aviOf({ seconds: 30 }));
  for (let tries = 0; tries < mostTries; tries += 1) {
    const inbox = run.target.receiver && run.inbox();
    const request = { ...compress, recipe: { name: 'compress', crf: 20, preset: 'slow' } };
    const jobId = await submit(run, { ...request, input: { url }, ...webhookTo(inbox) });
    const { status } = await run.api('POST', `/api/v1/jobs/${jobId}/cancel`);
    await endOf(run, jobId);
    if (status === 200) return { jobId, inbox, endedAtMs: performance.now() };
  }
  throw new Broken(`${mostTries} jobs had ended before each could be cancelled`);
}

function webhookTo(inbox: Inbox | undefined): { webhookUrl?: string } {
  return inbox ? { webhookUrl: inbox.url } : {};
}

/** The job as it is read now. */
export async function readJob(run: Run, ending: Ending): Promise<Record<string, unknown>> {
  const { jobId } = await run.ended(ending);
  const { body } = await run.api('GET', `/api/v1/jobs/${jobId}`);
  return expectField({ body }, 'body', 'object');
}
