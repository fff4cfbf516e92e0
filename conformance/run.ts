import { expect } from './expectation.ts';
import { type Call, createCall } from './http/call.ts';
import { deleteJob } from './jobs/delete-job.ts';
import { type SampleJob, type SampleJobKind, sampleJobs } from './jobs/sample-jobs.ts';
import { type Inbox, type Receiver, type Reply, startReceiver } from './receiver.ts';
import type { Target, Timeouts } from './target.ts';

/** What the clauses of one run share: the stage, who calls it, and the jobs that have ended on it. */
export type SuiteRun = {
  target: Target;
  timeouts: Timeouts;
  /** Calls with the API key. */
  api: Call;
  /** Calls with no credential. */
  anonymous: Call;
  /** Calls with the session token. */
  session: Call;
  /** Calls with another key. */
  withKey: (key: string) => Call;
  /** A new address that the stage can post to. */
  inbox: (replies?: readonly Reply[]) => Inbox;
  /** What several clauses look at, made when it is first asked for; `what` names it. */
  once: <T>(what: string, make: () => Promise<T>) => Promise<T>;
  /** The job of this run that ended so; it is made when it is first asked for. */
  sampleJob: (ending: SampleJobKind) => Promise<SampleJob>;
  /** Jobs to delete when the run is over. */
  jobIds: string[];
};

/** Begins a run. Whoever begins it ends it, by `end`. */
export async function startRun(
  target: Target,
  timeouts: Timeouts,
): Promise<SuiteRun & { end(): Promise<void> }> {
  const receiver = target.receiver && (await startReceiver(target.receiver));
  const { baseUrl } = target;
  const calling = (headers: Record<string, string>) =>
    createCall({ baseUrl, headers, timeoutMs: timeouts.responseMs });
  const withKey = (key: string) => calling({ authorization: `Bearer ${key}` });
  const once = onceEach();
  const run: SuiteRun = {
    target,
    timeouts,
    api: withKey(target.apiKey),
    anonymous: calling({}),
    session: calling({ authorization: `Bearer ${target.sessionToken}` }),
    withKey,
    inbox: (replies) => given(receiver).inbox(replies),
    once,
    sampleJob: (ending) => once(ending, () => sampleJobs[ending](run)),
    jobIds: [],
  };
  return {
    ...run,
    end: async () => {
      // What cannot be tidied up broke a sentence above, or hurts nobody.
      for (const jobId of run.jobIds) await deleteJob(run.api, jobId).catch(() => undefined);
      await receiver?.close();
    },
  };
}

/** Does each thing the first time that it is asked for. */
function onceEach(): SuiteRun['once'] {
  const made = new Map<string, Promise<unknown>>();
  return <T>(what: string, make: () => Promise<T>) => {
    const thing = (made.get(what) as Promise<T> | undefined) ?? make();
    made.set(what, thing);
    return thing;
  };
}

function given(receiver: Receiver | undefined): Receiver {
  expect(receiver !== undefined, 'the suite has no web server: this clause lacks its need "receiver"');
  return receiver;
}
