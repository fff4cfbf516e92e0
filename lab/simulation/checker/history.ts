import type { JobRecord, TerminalJob } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { endpointOf } from '../../../core/settings/owner-settings.ts';
import { type DeliveryFields, withDelivery } from '../../../core/webhooks/delivery.ts';
import type { LogEntry } from '../world/log.ts';

type Entry<K extends LogEntry['kind']> = Extract<LogEntry, { kind: K }>;

export type ObjectEntry = Entry<'object-stored'> | Entry<'object-removed'>;
export type ProviderEntry = Extract<LogEntry, { kind: `provider-${string}` }>;

/** Everything that happened to one job, in order. */
export type JobHistory = {
  jobId: string;
  ownerId: string;
  /** When a client first got the answer that the job was accepted. */
  acceptedAt: number | undefined;
  /** Of the records of the job. A delivery to an endpoint has writes, attempts and posts of its own. */
  writes: Entry<'written'>[];
  progressRecords: Entry<'recorded'>[];
  /** Its deliveries to endpoints, as jobs whose target is the endpoint. */
  endpoints: Map<string, JobHistory>;
  /** Of such a delivery. */
  endpointId?: string;
  attempts: Entry<'attempt'>[];
  posts: Entry<'posted'>[];
  published: Entry<'published'>[];
  /** Objects of the job's own prefixes; uploads belong to their owners. */
  objects: ObjectEntry[];
  /** Objects at the storage provider. */
  provider: ProviderEntry[];
  executions: Entry<'execution'>[];
  calls: Entry<'called'>[];
  tasks: Entry<'task'>[];
  encoded: Entry<'encoded'>[];
  /** Functions that processed the job. */
  ended: Entry<'ended'>[];
  leftRunning: Entry<'left-running'>[];
  logs: Entry<'logs'>[];
  announced: Entry<'announced'>[];
  faults: Entry<'fault'>[];
};

/** A log as the invariants read it. */
export type History = {
  jobs: JobHistory[];
  job(jobId: string): JobHistory | undefined;
  accepted: Entry<'accepted'>[];
  lists: Entry<'listed'>[];
  /** The writes of records and the changes of entries, in order. */
  running: (Entry<'written'> | Entry<'running'>)[];
  slowReceivers: Entry<'slow-receivers'>[];
  endpoints: Entry<'endpoint'>[];
  /** The jobs that are processed at the same time. */
  workers: number;
  /** The counters of usage after each write, in order. */
  usage: Entry<'usage'>[];
  /** The spending counters of caps after each write, in order. */
  spending: Entry<'spending'>[];
  /** Faults, and work left running, of invocations that belong to no single job. */
  faults: Entry<'fault'>[];
  leftRunning: Entry<'left-running'>[];
  /** Owners that had as many running jobs as they may have: their other jobs waited. */
  limitedOwners: Set<string>;
  /** Invocations with a fault. A worker may claim another job than that of its message. */
  faultyInvocations: Set<number>;
};

/** Groups the entries of a log by job. */
export function historyOf(entries: readonly LogEntry[]): History {
  const jobs = new Map<string, JobHistory>();
  const history: History = {
    jobs: [],
    job: (jobId) => jobs.get(jobId),
    accepted: [],
    lists: [],
    running: [],
    slowReceivers: [],
    endpoints: [],
    workers: Number.POSITIVE_INFINITY,
    usage: [],
    spending: [],
    faults: [],
    leftRunning: [],
    limitedOwners: new Set(),
    faultyInvocations: new Set(),
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
  for (const job of history.jobs.filter(isDeleted)) {
    for (const { writes } of job.endpoints.values()) writes.push(...job.writes.slice(-1));
  }
  return history;
}

/** The attempt whose 2xx a write of its job records: as good as closed in the journal. */
function recordedAttempts(job: JobHistory, { before, after, ...entry }: Entry<'written'>): Entry<'attempt'>[] {
  const delivered = 'deliveredAttempt' in after ? after.deliveredAttempt : undefined;
  if (delivered === undefined || (before !== undefined && 'deliveredAttempt' in before)) return [];
  const opened = job.attempts.filter(
    ({ attempt }) => attempt.deliveryId === delivered.deliveryId && attempt.attempt === delivered.attempt,
  );
  return opened.map(({ attempt }) => ({
    ...entry,
    kind: 'attempt',
    attempt: { ...attempt, outcome: delivered.outcome },
  }));
}

function sortIn(history: History, of: (jobId: string) => JobHistory, entry: LogEntry): void {
  switch (entry.kind) {
    case 'written': {
      const job = of(entry.after.jobId);
      job.ownerId = entry.after.ownerId;
      job.writes.push(entry);
      history.running.push(entry);
      job.attempts.push(...recordedAttempts(job, entry));
      return;
    }
    case 'endpoint':
      history.endpoints.push(entry);
      return;
    case 'endpoint-written': {
      const { ref, before, after, ...rest } = entry;
      const job = of(ref.jobId);
      const ended = job.writes.map((write) => write.after).findLast((record) => record.state === after.state);
      const asRecord = (delivery: DeliveryFields) => withDelivery(ended as TerminalJob, delivery);
      const written = { before: before && asRecord(before), after: asRecord(after), guard: { absent: true as const } };
      deliveryOf(job, ref.endpointId).writes.push({ ...rest, ...written, kind: 'written' });
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
      deliveryOf(of(entry.attempt.jobId), endpointOf(entry.attempt.deliveryId)).attempts.push(entry);
      return;
    case 'posted':
      deliveryOf(of(entry.post.jobId), endpointOf(entry.post.deliveryId)).posts.push(entry);
      return;
    case 'running':
      if (entry.entries.length >= entry.max) history.limitedOwners.add(entry.ownerId);
      history.running.push(entry);
      history.workers = entry.workers;
      return;
    case 'slow-receivers':
      history.slowReceivers.push(entry);
      return;
    case 'usage':
      history.usage.push(entry);
      return;
    case 'spending':
      history.spending.push(entry);
      return;
    case 'published':
      of(entry.jobId).published.push(entry);
      return;
    case 'announced':
      of(entry.entry.jobId).announced.push(entry);
      return;
    case 'logs':
      of(entry.jobId).logs.push(entry);
      return;
    case 'fault': {
      const { invocation, jobId, jobOfInvocation = jobId } = entry;
      history.faultyInvocations.add(invocation);
      (jobId === undefined ? history : of(jobId)).faults.push(entry);
      // A worker may fail at a call about another job than that of its message.
      if (jobOfInvocation !== undefined && jobOfInvocation !== jobId) of(jobOfInvocation).faults.push(entry);
      return;
    }
    case 'recorded':
      of(entry.after.jobId).progressRecords.push(entry);
      return;
    case 'execution':
      of(entry.jobId).executions.push(entry);
      return;
    case 'called':
      of(entry.jobId).calls.push(entry);
      return;
    case 'task':
      of(entry.jobId).tasks.push(entry);
      return;
    case 'encoded':
      of(entry.jobId).encoded.push(entry);
      return;
    case 'ended':
      of(entry.jobId).ended.push(entry);
      return;
    case 'left-running':
      (entry.jobId === undefined ? history : of(entry.jobId)).leftRunning.push(entry);
      return;
    case 'provider-begun':
    case 'provider-ended':
    case 'provider-published':
    case 'provider-unpublished':
      of(entry.mark.split('/')[0] ?? '').provider.push(entry);
      return;
    default: {
      const [folder, jobId = ''] = entry.key.split('/');
      if (folder !== 'uploads') of(jobId).objects.push(entry);
    }
  }
}

/** The delivery of a job to an endpoint; without one that to its target, which is the history of the job itself. */
function deliveryOf(job: JobHistory, endpointId: string | undefined): JobHistory {
  if (endpointId === undefined) return job;
  const { ownerId, faults } = job;
  const delivery = job.endpoints.get(endpointId) ?? { ...anEmptyHistory(job.jobId), ownerId, faults, endpointId };
  job.endpoints.set(endpointId, delivery);
  return delivery;
}

function anEmptyHistory(jobId: string): JobHistory {
  return {
    jobId,
    ownerId: '',
    acceptedAt: undefined,
    writes: [],
    progressRecords: [],
    endpoints: new Map(),
    attempts: [],
    posts: [],
    published: [],
    objects: [],
    provider: [],
    executions: [],
    calls: [],
    tasks: [],
    encoded: [],
    ended: [],
    leftRunning: [],
    logs: [],
    announced: [],
    faults: [],
  };
}

/** The last version of the record. */
export function lastRecord({ writes }: JobHistory): JobRecord | undefined {
  return writes.at(-1)?.after;
}

const terminal = ['completed', 'failed', 'rejected', 'cancelled'];

/** The terminal writes: from a state that is not terminal to one that is. */
export function terminalWrites({ writes }: JobHistory): Entry<'written'>[] {
  return writes.filter(
    ({ before, after }) => terminal.includes(after.state) && !terminal.includes(before?.state ?? ''),
  );
}

/** The keys that a completed job's record lists. */
export function listedKeys({ writes }: JobHistory): string[] {
  const completed = writes.find(({ after }) => after.state === 'completed')?.after;
  if (completed?.state !== 'completed') return [];
  const inBucket = Object.values(completed.files).filter(({ storage }) => storage === undefined);
  return inBucket.map(({ key }) => key);
}

/** The keys of a completed job's files at its storage provider. */
export function providerKeys({ writes }: JobHistory): string[] {
  const completed = writes.find(({ after }) => after.state === 'completed')?.after;
  if (completed?.state !== 'completed') return [];
  return Object.values(completed.files).flatMap(({ storage }) => storage?.key ?? []);
}

/** The objects in the media bucket that a failed job keeps for a retry. */
export function keptKeys(job: JobHistory): string[] {
  const last = lastRecord(job);
  if (last?.state === 'failed' && last.unpublished?.jobId === job.jobId) {
    return Object.values(last.unpublished.result.files).map(({ key }) => key);
  }
  return [];
}

/** The request as it was first stored; undefined if that was never. */
export function requestOf({ writes }: JobHistory): JobRequestRecord | undefined {
  const [first] = writes;
  return first !== undefined && 'request' in first.after ? first.after.request : undefined;
}

export function isDeleted(job: JobHistory): boolean {
  return lastRecord(job)?.state === 'deleted';
}
