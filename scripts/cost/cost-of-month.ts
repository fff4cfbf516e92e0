import { metricUnits } from '../../core/metrics/job-metrics.ts';
import { prices } from './prices.ts';

/** Metrics that the alarms of a stage read: one that judges a share reads two. */
export const alarmMetrics = 19;

const minutes = 30 * 24 * 60;
/** Of the transcoder's image, compressed as a registry keeps it; see "The image" in docs/operating.md. */
const imageGb = 0.224;
/** While a queue is empty, five pollers ask it every 20 seconds (AWS Lambda's documentation). */
const pollsPerMinute = 5 * 3;

/** What a stage costs by the month while nothing is submitted, in dollars. */
export function costOfMonth(): Record<
  'reconcile' | 'queue' | 'metrics' | 'alarms' | 'dashboard' | 'image',
  number
> {
  // A fifth of a second of half a GB, four queries of an index, a kilobyte of log, a trace.
  const run =
    prices.lambdaRequest.dollars +
    0.5 * 0.2 * prices.lambdaArm.dollars +
    4 * 0.5 * prices.tableRead.dollars +
    1e-6 * prices.logs.dollars +
    prices.trace.dollars;
  return {
    reconcile: minutes * run,
    queue: minutes * pollsPerMinute * prices.queueRequest.dollars,
    metrics: Object.keys(metricUnits).length * prices.metric.dollars,
    alarms: alarmMetrics * prices.alarm.dollars,
    dashboard: prices.dashboard.dollars,
    image: imageGb * prices.imageMonth.dollars,
  };
}
