import { setTimeout as sleep } from 'node:timers/promises';
import { ClauseViolation, expect, expectField } from '../expectation.ts';
import type { Call } from '../http/call.ts';
import { expectSuccess } from '../http/expect-response.ts';
import type { SuiteRun } from '../suite-run.ts';

/** The terminal states, exactly as specified. */
export const terminalStates = ['completed', 'failed', 'rejected', 'cancelled'];

/** A request whose job ends soon: its input is unreachable, because `.invalid` never resolves (RFC 6761). */
export const unreachableInputRequest = {
  mode: 'recipe',
  input: { url: 'https://unreachable.invalid/video.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};

/** Submits a job in the mode `recipe`. Returns its id. */
export async function submit(run: Pick<SuiteRun, 'timeouts' | 'jobIds' | 'api'>, request: object): Promise<string> {
  const response = await run.api('POST', '/api/v1/jobs', { body: { mode: 'recipe', ...request } });
  const jobId = expectField(expectSuccess(response), 'jobId', 'string');
  run.jobIds.push(jobId);
  return jobId;
}

/** Polls a job until it is terminal. */
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
