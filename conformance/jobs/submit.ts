import { setTimeout as sleep } from 'node:timers/promises';
import { Broken, expectField } from '../expectation.ts';
import { expectSuccess } from '../http/answers.ts';
import type { Call } from '../http/call.ts';
import type { Run } from '../run.ts';

/** The states in which a job has ended, exactly as specified. */
export const terminalStates = ['completed', 'failed', 'rejected', 'cancelled'];

/** A request whose input nobody can reach, since no name ends in `.invalid` (RFC 6761): its job is over soon. */
export const soonOver = {
  mode: 'recipe',
  input: { url: 'https://unreachable.invalid/film.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};

type By = Pick<Run, 'patience' | 'jobIds' | 'api'>;

/** Submits a job of the mode `recipe`, and returns its id. */
export async function submit(run: By, request: object): Promise<string> {
  const answer = await run.api('POST', '/api/v1/jobs', { body: { mode: 'recipe', ...request } });
  const jobId = expectField(expectSuccess(answer), 'jobId', 'string');
  run.jobIds.push(jobId);
  return jobId;
}

/** Polls a job until it is in a terminal state, and returns it. */
export async function endOf({ api, patience }: { api: Call } & Pick<Run, 'patience'>, jobId: string) {
  const deadline = performance.now() + patience.jobMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 1_000)) {
    const job = expectSuccess(await api('GET', `/api/v1/jobs/${jobId}`));
    if (terminalStates.includes(String(job.state))) return job;
    if (performance.now() > deadline) {
      throw new Broken(`job ${jobId} is still ${job.state} after ${patience.jobMs / 1000} s`);
    }
    await sleep(pauseMs);
  }
}
