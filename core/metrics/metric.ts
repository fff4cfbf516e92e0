/** Every metric that the service measures itself, with its unit as CloudWatch names it. */
export const metricUnits = {
  JobsCreated: 'Count',
  JobsCompleted: 'Count',
  JobsFailed: 'Count',
  JobsRejected: 'Count',
  JobsCancelled: 'Count',
  /** From a job's creation to its first claim. */
  QueueSeconds: 'Seconds',
  /** A worker let its lease end, and the job went back into the queue. */
  WorkersLost: 'Count',
  /** A queued job's message was sent again. */
  MessagesResent: 'Count',
  MediaSeconds: 'Seconds',
  /** From the claim of a job to its end, which is the time of one worker; none of a job in parts. */
  ComputeSeconds: 'Seconds',
  /** Seconds of media per second of a worker, its download and upload included; none of a job in parts. */
  EncodeSpeed: 'None',
  WebhooksDelivered: 'Count',
  WebhooksAbandoned: 'Count',
  /** Runs of reconcile that came to their end. */
  ReconcileRuns: 'Count',
  ReconcileDue: 'Count',
  ReconcileFailed: 'Count',
} as const satisfies Record<string, 'Count' | 'Seconds' | 'None'>;

export type MetricName = keyof typeof metricUnits;
export type MetricValues = { readonly [Name in MetricName]?: number };

/** The CloudWatch namespace of all of them; each has one dimension, `stage`. */
export const metricNamespace = 'MediaJobs';
