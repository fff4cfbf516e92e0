/** The id of a job's terminal event, the same on every attempt and redelivery, so that receivers can drop repeats. */
export function webhookId(jobId: string): string {
  return `evt_${jobId}`;
}

/** The execution name of the n-th start of a delivery. Names can be used once, which spares work, not correctness. */
export function deliveryExecutionName(deliveryId: string, starts: number): string {
  return `wh-${deliveryId}-${starts}`;
}
