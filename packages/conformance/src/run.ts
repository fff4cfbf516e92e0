import { expect } from './expectation.ts';
import { createCall } from './http/call.ts';
import { deleteJob } from './jobs/jobs.ts';
import { sampleJobs } from './jobs/sample-jobs.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { SuiteRun } from './suite-run.ts';
import type { Target, Timeouts } from './target.ts';

/** Starts a run. Call `end` when it is over: it deletes the jobs and closes the receiver. */
export async function startRun(target: Target, timeouts: Timeouts): Promise<SuiteRun & { end(): Promise<void> }> {
  const receiver = target.receiver && (await startReceiver(target.receiver));
  const { baseUrl } = target;
  const callWith = (headers: Record<string, string>) =>
    createCall({ baseUrl, headers, timeoutMs: timeouts.responseMs });
  const withKey = (key: string) => callWith({ authorization: `Bearer ${key}` });
  const once = memoize();
  const run: SuiteRun = {
    target,
    timeouts,
    api: withKey(target.apiKey),
    anonymous: callWith({}),
    session: callWith({ authorization: `Bearer ${target.sessionToken}` }),
    withKey,
    inbox: (replies) => requireReceiver(receiver).inbox(replies),
    once,
    sampleJob: (kind) => once(kind, () => sampleJobs[kind](run)),
    jobIds: [],
  };
  return {
    ...run,
    end: async () => {
      // A clause has reported a failed deletion already, or it does not matter.
      for (const jobId of run.jobIds) await deleteJob(run.api, jobId).catch(() => undefined);
      await receiver?.close();
    },
  };
}

function memoize(): SuiteRun['once'] {
  const results = new Map<string, Promise<unknown>>();
  return <T>(name: string, make: () => Promise<T>) => {
    const result = (results.get(name) as Promise<T> | undefined) ?? make();
    results.set(name, result);
    return result;
  };
}

function requireReceiver(receiver: Receiver | undefined): Receiver {
  expect(receiver !== undefined, 'the suite has no webhook receiver: the clause lacks needs: ["receiver"]');
  return receiver;
}
