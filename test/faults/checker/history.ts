import type { JobRecord } from '../../../core/jobs/job.ts';
import type { LogEntry } from '../simulation/log.ts';

type Entry<K extends LogEntry['kind']> = Extract<LogEntry, { kind: K }>;

/** Everything that happened about one job, in order. */
export type JobHistory = {
  jobId: string;
  ownerId: string;
  /** When a client was first answered that the job was accepted. */
  acceptedAt: number | undefined;
  writes: Entry<'written'>[];
  attempts: Entry<'attempt'>[];
  posts: Entry<'posted'>[];
  published: Entry<'published'>[];
  objects: Entry<'object-stored' | 'object-removed'>[];
  logs: Entry<'logs'>[];
  faults: Entry<'fault'>[];
};

/** A log as the invariants read it. */
export type History = {
  jobs: JobHistory[];
  job(jobId: string): JobHistory | undefined;
  accepted: Entry<'accepted'>[];
  lists: Entry<'listed'>[];
  /** Faults that hit no one job. */
  faults: Entry<'fault'>[];
};

/** Sorts a log by the jobs that its entries are about. */
export function historyOf(entries: readonly LogEntry[]): History {
  const jobs = new Map<string, JobHistory>();
  const history: History = {
    jobs: [],
    job: (jobId) => jobs.get(jobId),
    accepted: [],
    lists: [],
    faults: [],
  };
  const of = (jobId: string): JobHistory => {
    const known = jobs.get(jobId);
    if (known !== undefined) return known;
    const job = anEmptyHistory(jobId);
    jobs.set(jobId, job);
    history.jobs.push(job);
    return job;
  };
  for (const entry of entries) sortIn(history, of, entry);
  return history;
}

function sortIn(history: History, of: (jobId: string) => JobHistory, entry: LogEntry): void {
  switch (entry.kind) {
    case 'written': {
      const job = of(entry.after.jobId);
      job.ownerId = entry.after.ownerId;
      job.writes.push(entry);
      return;
    }
    case 'accepted':
      history.accepted.push(entry);
      of(entry.jobId).acceptedAt ??= entry.at;
      return;
    case 'listed':
      history.lists.push(entry);
      return;
    case 'attempt':
      of(entry.attempt.jobId).attempts.push(entry);
      return;
    case 'posted':
      of(entry.post.jobId).posts.push(entry);
      return;
    case 'published':
      of(entry.jobId).published.push(entry);
      return;
    case 'logs':
      of(entry.jobId).logs.push(entry);
      return;
    case 'fault':
      (entry.jobId === undefined ? history : of(entry.jobId)).faults.push(entry);
      return;
    default:
      of(entry.key.split('/')[1] ?? '').objects.push(entry);
  }
}

function anEmptyHistory(jobId: string): JobHistory {
  return {
    jobId,
    ownerId: '',
    acceptedAt: undefined,
    writes: [],
    attempts: [],
    posts: [],
    published: [],
    objects: [],
    logs: [],
    faults: [],
  };
}

/** The record as it was left. */
export function lastRecord({ writes }: JobHistory): JobRecord | undefined {
  return writes.at(-1)?.after;
}

const terminal = ['completed', 'failed', 'rejected', 'cancelled'];

/** The writes that ended the job: from a state that ends nothing to one that does. */
export function terminalWrites({ writes }: JobHistory): Entry<'written'>[] {
  return writes.filter(
    ({ before, after }) => terminal.includes(after.state) && !terminal.includes(before?.state ?? ''),
  );
}

export function isDeleted(job: JobHistory): boolean {
  return lastRecord(job)?.state === 'deleted';
}
