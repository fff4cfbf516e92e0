import { formatDollars, formatDuration } from '@media-jobs/cli/formatting';
import { hiddenCause, type Log } from '@media-jobs/local-stage';

/** What a line of a function states: a log line, or metrics in CloudWatch's embedded format. */
type Entry = {
  jobId?: string;
  message?: string;
  error?: { code?: string; message?: string };
  JobsCompleted?: number;
  JobsFailed?: number;
  JobsRejected?: number;
  JobsCancelled?: number;
  JobUsd?: number;
  MediaSeconds?: number;
  ComputeSeconds?: number;
  WebhooksDelivered?: number;
  WebhooksAbandoned?: number;
  WorkersLost?: number;
  attempt?: number;
  status?: string;
};

/**
 * Writes the log of a stage for a person: one line for each job that has ended, each webhook, and each failure.
 *
 * @param now for the time of a line
 */
export function humanLog(print: (line: string) => void, now: () => Date): Log {
  return (source, line) => {
    const text = humanText(source, line);
    if (text !== undefined) print(`${now().toTimeString().slice(0, 8)}  ${text}`);
  };
}

/** What a person is told of a line of the log. Undefined for one that tells nothing of a job's end, a webhook or a failure. */
export function humanText(source: string, line: string): string | undefined {
  if (source === 'events') return undefined;
  const cause = hiddenCause(source, line);
  if (cause !== undefined) return `${source}: ${cause}`;
  const entry = parsedEntry(line);
  // What is no JSON is of the stage itself, or of a process that ended unexpectedly.
  if (entry === undefined) return `${source}: ${line}`;
  return jobText(entry) ?? webhookText(entry);
}

function jobText(entry: Entry): string | undefined {
  const job = `job ${entry.jobId}`;
  if (entry.JobsCompleted) return `${job} completed${figures(entry)}`;
  if (entry.JobsCancelled) return `${job} cancelled`;
  if (entry.WorkersLost) return `${job} lost its worker and is queued again`;
  const ended = entry.JobsFailed ? 'failed' : entry.JobsRejected ? 'rejected' : undefined;
  return ended && `${job} ${ended}: ${entry.error?.code}: ${entry.error?.message}`;
}

function figures({ MediaSeconds, ComputeSeconds, JobUsd }: Entry): string {
  const parts = [
    ...(ComputeSeconds === undefined ? [] : [`in ${formatDuration(ComputeSeconds)}`]),
    ...(MediaSeconds ? [`${formatDuration(MediaSeconds)} of media`] : []),
    ...(JobUsd === undefined ? [] : [formatDollars(JobUsd)]),
  ];
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

function webhookText({ jobId, WebhooksDelivered, WebhooksAbandoned, message, status, attempt }: Entry) {
  if (WebhooksDelivered) return `webhook of job ${jobId} delivered`;
  if (WebhooksAbandoned) return `webhook of job ${jobId} abandoned: no attempt was answered by a 2xx`;
  if (message !== 'Delivery attempted' || status !== 'retry') return undefined;
  return `webhook of job ${jobId} failed at attempt ${attempt}, and is sent again`;
}

function parsedEntry(line: string): Entry | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
