import type { AttemptLog, JobLogs } from '../../../core/jobs/attempt-log.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';

/** The logs of jobs in memory; none expires. `onChanged` gets the number of a job's logs after each change. */
export function memoryJobLogs({ onChanged }: { onChanged?: (ref: JobRef, count: number) => void } = {}): JobLogs {
  const jobs = new Map<string, Map<number, AttemptLog>>();
  const logsOf = ({ ownerId, jobId }: JobRef) => jobs.get(`${ownerId}#${jobId}`) ?? new Map<number, AttemptLog>();
  const store = (ref: JobRef, logs: Map<number, AttemptLog>) => {
    jobs.set(`${ref.ownerId}#${ref.jobId}`, logs);
    onChanged?.(ref, logs.size);
  };
  return {
    put: async (ref, log) => store(ref, logsOf(ref).set(log.attempt, log)),
    list: async (ref) => [...logsOf(ref).values()].sort((a, b) => a.attempt - b.attempt),
    removeAll: async (ref) => {
      store(ref, new Map());
      return 'complete';
    },
  };
}
