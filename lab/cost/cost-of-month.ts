import { dueKinds, dueShards } from '../../core/jobs/durations.ts';
import { type MetricName, metricUnits } from '../../core/metrics/job-metrics.ts';
import type { Prices } from '../../core/pricing/region-prices.ts';

/** Only a stage with watches emits it. */
const metricOfWatches: MetricName = 'WatchLagSeconds';

/** Metrics that the alarms of a stage evaluate; an alarm on a percentage evaluates two. */
export const alarmMetrics = 24;

const minutes = 30 * 24 * 60;
/** Compressed size of the workers' image; see "The image" in docs/upgrading.md. */
const imageGb = 0.224;
/** Lambda polls an empty queue with five pollers every 20 seconds (AWS Lambda Developer Guide). */
const pollsPerMinute = 5 * 3;
/** Queues of the index `waiting` that reconcile reads: short and long jobs. */
const queues = 2;
/** The queues of jobs and deliveries. */
const standardQueues = 2;
/** The queues of chunk tasks and joins. */
const fifoQueues = 2;

/** Monthly cost of an idle stage in dollars. */
export function costOfMonth(
  prices: Prices,
): Record<'reconcile' | 'queues' | 'metrics' | 'alarms' | 'dashboard' | 'image', number> {
  // 0.2 s at 0.5 GB, a query of each partition of the index `due` and of both queues, 1 KB of log and a trace.
  const run =
    prices.lambdaRequest +
    0.5 * 0.2 * prices.lambdaArm +
    (dueKinds.length * dueShards + queues) * 0.5 * prices.tableRead +
    1e-6 * prices.logs +
    prices.trace;
  return {
    reconcile: minutes * run,
    queues: minutes * pollsPerMinute * (standardQueues * prices.queueRequest + fifoQueues * prices.fifoQueueRequest),
    metrics: Object.keys(metricUnits).filter((name) => name !== metricOfWatches).length * prices.metric,
    alarms: alarmMetrics * prices.alarm,
    dashboard: prices.dashboard,
    image: imageGb * prices.imageMonth,
  };
}
