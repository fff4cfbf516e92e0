import { setTimeout as sleep } from 'node:timers/promises';
import type { SampleJob, SampleJobKind, SuiteRun } from '../clause.ts';
import { ClauseViolation, expect, expectField } from '../expectation.ts';
import { type Call, expectSuccess } from '../http/call.ts';
import { buildAvi } from '../media/avi.ts';
import type { Inbox } from '../receiver.ts';

/** The terminal states, exactly as specified. */
export const terminalStates = ['completed', 'failed', 'rejected', 'cancelled'];

/** A request whose job ends soon: its input is unreachable, because `.invalid` never resolves (RFC 6761). */
export const unreachableInputRequest = {
  mode: 'recipe',
  input: { url: 'https://unreachable.invalid/video.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};

export async function submit(run: Pick<SuiteRun, 'timeouts' | 'jobIds' | 'api'>, request: object): Promise<string> {
  const response = await run.api('POST', '/api/v1/jobs', { body: { mode: 'recipe', ...request } });
  const jobId = expectField(expectSuccess(response), 'jobId', 'string');
  run.jobIds.push(jobId);
  return jobId;
}

export async function waitForTerminalState({ api, timeouts }: Pick<SuiteRun, 'api' | 'timeouts'>, jobId: string) {
  const deadlineMs = performance.now() + timeouts.jobMs;
  for (let delayMs = 50; ; delayMs = Math.min(delayMs * 1.5, 1_000)) {
    const job = expectSuccess(await api('GET', `/api/v1/jobs/${jobId}`));
    if (terminalStates.includes(String(job.state))) return job;
    if (performance.now() > deadlineMs) {
      throw new ClauseViolation(`job ${jobId} is still ${job.state} after ${timeouts.jobMs / 1000} s`);
    }
    await sleep(delayMs);
  }
}

/** Uploads a file. Returns the URL for the input of a job. */
export async function upload(run: SuiteRun, bytes: Buffer): Promise<string> {
  const created = expectSuccess(
    await run.api('POST', '/api/v1/uploads', {
      body: { sizeBytes: bytes.byteLength, filename: 'conformance.avi' },
    }),
  );
  const response = await fetch(expectField(created, 'uploadUrl', 'string'), {
    method: 'PUT',
    body: new Uint8Array(bytes),
    signal: AbortSignal.timeout(run.timeouts.responseMs),
  });
  expect(response.ok, `the upload of a file returned ${response.status} ${await response.text()}`);
  return expectField(created, 'inputUrl', 'string');
}

/** Deletes a job and its files. Cancels it first if it is not terminal. */
export async function deleteJob(call: Call, jobId: string): Promise<void> {
  const path = `/api/v1/jobs/${jobId}`;
  const { status } = await call('DELETE', path);
  if (status !== 409) return;
  await call('POST', `${path}/cancel`);
  await call('DELETE', path);
}

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

export async function readSampleJob(run: SuiteRun, kind: SampleJobKind): Promise<Record<string, unknown>> {
  const { jobId } = await run.sampleJob(kind);
  const { body } = await run.api('GET', `/api/v1/jobs/${jobId}`);
  return expectField({ body }, 'body', 'object');
}
