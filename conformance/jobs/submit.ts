import { setTimeout as sleep } from 'node:timers/promises';
import { ClauseViolation, expectField } from '../expectation.ts';
import type { Call } from '../http/call.ts';
import { expectSuccess } from '../http/expect-response.ts';
import type { SuiteRun } from '../run.ts';

/** The states in which a job has ended, exactly as specified. */
export const terminalStates = ['completed', 'failed', 'rejected', 'cancelled'];

/** A request whose input nobody can reach, since no name ends in `.invalid` (RFC 6761): its job is over soon. */
export const unreachableInputRequest = {
  mode: 'recipe',
  input: { url: 'https://unreachable.invalid/film.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};

type By = Pick<SuiteRun, 'timeouts' | 'jobIds' | 'api'>;

/** Submits a job of the mode `recipe`, and returns its id. */
export async function submit(run: By, request: object): Promise<string> {
  const answer = await run.api('POST', '/api/v1/jobs', { body: { mode: 'recipe', ...request } });
  const jobId = expectField(expectSuccess(answer), 'jobId', 'string');
  run.jobIds.push(jobId);
  return jobId;
}

/** Polls a job until it is in a terminal state, and returns it. */
export async function waitForTerminalState(
  { api, timeouts }: { api: Call } & Pick<SuiteRun, 'timeouts'>,
  jobId: string,
) {
  const deadline = performance.now() + timeouts.jobMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 1_000)) {
    const job = expectSuccess(await api('GET', `/api/v1/jobs/${jobId}`));
    if (terminalStates.includes(String(job.state))) return job;
    if (performance.now() > deadline) {
      throw new ClauseViolation(`job ${jobId} is still ${job.state} after ${timeouts.jobMs / 1000} s`);
    }
    await sleep(pauseMs);
  }
}
