import { chunkResultSchema } from '@media-jobs/video/chunking';
import type { JobHistory, ObjectEntry } from './history.ts';
import { type Invariant, jobInvariant } from './invariant.ts';

const withoutFaults = (breaches: (job: JobHistory) => string[]) => (job: JobHistory) =>
  job.faults.length > 0 ? [] : breaches(job);

export const chunksHaveOneResult = jobInvariant('of all runs of a chunk the first result counts', ({ objects }) => {
  const results = objects.filter(({ key }) => resultPattern.test(key));
  return results.flatMap(({ kind, key }, index) => {
    const before = results.findLast((each, other) => other < index && each.key === key);
    return kind === 'object-stored' && before?.kind === kind ? [`stored ${key} over another result`] : [];
  });
});

export const chunksRunTwice = jobInvariant(
  'a chunk is encoded twice at most, and the second time is no longer than the first, without faults',
  withoutFaults((job) =>
    runsOf(job).flatMap(({ chunk, runs }) => {
      if (runs.length > 2) return [`chunk ${chunk} ran ${runs.length} times`];
      const [first = 0, second = 0] = runs.map(({ from, until }) => until - from);
      // The first run may reach the end of its function, after which nothing stops the second one.
      const isLonger = second > first + noticedWithinMs && first < functionMs;
      return isLonger ? [`chunk ${chunk} took ${second} ms more, after ${first} ms`] : [];
    }),
  ),
);

export const supersededRunsEnd = jobInvariant(
  'a run of a chunk ends soon after another one has stored the result, without faults',
  withoutFaults((job) =>
    runsOf(job).flatMap((task) => {
      const { chunk, runs } = task;
      const [end = 0] = runs.map(({ until }) => until).toSorted((a, b) => a - b);
      const isStored = storedResults(job, task).some(({ at }) => at <= end);
      const late = runs.filter(({ until }) => isStored && until > end + noticedWithinMs);
      return late.map(({ until }) => `chunk ${chunk} went on for ${until - end} ms`);
    }),
  ),
);

export const supersededFilesAreRemoved = jobInvariant(
  'a run of a chunk leaves no files that no result names, without faults',
  withoutFaults(({ objects }) => {
    const results = storedTexts(objects);
    return objects.flatMap(({ kind, key, at }) => {
      const [, prefix = '', runId] = filePattern.exec(key) ?? [];
      const named = results.get(`${prefix}.json`);
      if (kind !== 'object-stored' || named === undefined || named === runId) return [];
      const removed = objects.find((each) => each.key === key && each.kind === 'object-removed');
      const isLeft = removed === undefined || removed.at > at + noticedWithinMs;
      return isLeft ? [`left ${key}`] : [];
    });
  }),
);

export const chunksFailOnce = jobInvariant(
  'a chunk fails only if no run of it goes on, without faults',
  withoutFaults((job) =>
    job.writes.flatMap(({ at, after }) => {
      const reason = after.state === 'queued' ? after.singlePassReason : undefined;
      const chunk = Number(/^Chunk (\d+) could not/.exec(reason ?? '')?.[1]) - 1;
      const runs = runsOf(job).flatMap((task) => (task.chunk === chunk ? task.runs : []));
      return runs.some(({ from, until }) => from < at && until > at) ? [`gave up chunk ${chunk}`] : [];
    }),
  ),
);

/** So many times as long as the other chunks of the job: until it is late, and the second run. */
const maxDelay = 4;

export const slowFunctionsDelayLittle: Invariant = {
  name: 'one slow function delays its job by a few times the time of a chunk, without faults',
  breaches: ({ jobs }) => {
    const [job] = jobs;
    if (job === undefined || jobs.length > 1 || job.faults.length > 0) return [];
    const chunks = runsOf(job).map((task) => {
      const { chunk, runs } = task;
      const [stored] = storedResults(job, task);
      return { chunk, ms: stored && stored.at - Math.min(...runs.map(({ from }) => from)) };
    });
    const usual = chunks.flatMap(({ ms }) => ms ?? []).toSorted((a, b) => a - b);
    const limitMs = maxDelay * (usual[Math.floor(usual.length / 2)] ?? 0) + 30_000;
    const late = chunks.filter(({ ms }) => ms !== undefined && ms > limitMs);
    return late.map(({ chunk, ms }) => `chunk ${chunk} took ${ms} ms, and ${limitMs} are allowed`);
  },
};

/** Two polls of the job, the calls after them, and the repetition of the request of a stopped encoder. */
const noticedWithinMs = 10_000;
const functionMs = 860_000;

const resultPattern = /^work\/.*\/(\d+)\.json$/;
const filePattern = /^(work\/.*\/\d+)-(.+)-\d+$/;

type Run = { from: number; until: number };

type TaskRuns = { chunk: number; runs: Run[] };

/** The runs of each chunk task of each execution, in the order of their deliveries. */
function runsOf({ tasks, executions }: JobHistory): TaskRuns[] {
  const starts = executions.filter(({ status }) => status === 'started');
  const found = new Map<string, TaskRuns>();
  for (const { chunk, delivery, status, at } of tasks) {
    if (chunk === undefined || status !== 'delivered') continue;
    const name = `${starts.findLast((start) => start.at <= at)?.name} ${chunk}`;
    const task = found.get(name) ?? { chunk, runs: [] };
    found.set(name, task);
    const released = tasks.find((each) => each.delivery === delivery && each.status === 'released');
    task.runs.push({ from: at, until: released?.at ?? Number.POSITIVE_INFINITY });
  }
  return [...found.values()];
}

/** Since the task was delivered: an execution before may have had a task of this number. */
function storedResults({ objects }: JobHistory, { chunk, runs }: TaskRuns): ObjectEntry[] {
  const from = Math.min(...runs.map((run) => run.from));
  return objects.filter(
    ({ kind, key, at }) => kind === 'object-stored' && at >= from && resultPattern.exec(key)?.[1] === String(chunk),
  );
}

/** The run that each result names, by its key. */
function storedTexts(objects: readonly ObjectEntry[]): Map<string, string> {
  return new Map(
    objects.flatMap((entry) => {
      if (entry.kind !== 'object-stored' || entry.made.kind !== 'text' || !resultPattern.test(entry.key)) return [];
      return [[entry.key, chunkResultSchema.parse(JSON.parse(entry.made.text)).runId]];
    }),
  );
}
