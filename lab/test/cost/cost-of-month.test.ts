import { expect, it } from 'vitest';
import { defaultPrices, dollarsOf } from '../../../core/pricing/region-prices.ts';
import { synthesizedStage } from '../../../test/builders/template/synthesized-stage.ts';
import { resourcesOf } from '../../../test/builders/template/template-resources.ts';
import { alarmMetrics, costOfMonth } from '../../cost/cost-of-month.ts';

const { service } = synthesizedStage();
const month = costOfMonth(dollarsOf(defaultPrices));

it('the monthly cost contains every metric that the alarms of the template evaluate', () => {
  const readBy = (alarm: Record<string, unknown>) => {
    const { Metrics: metrics } = alarm as { Metrics?: { MetricStat?: object }[] };
    return metrics === undefined ? 1 : metrics.filter(({ MetricStat }) => MetricStat).length;
  };
  const read = resourcesOf(service, 'AWS::CloudWatch::Alarm').map(readBy);
  expect(read.reduce((all, one) => all + one, 0)).toBe(alarmMetrics);
});

it('the monthly cost contains one run of reconcile and 15 polls per minute', () => {
  const run = 0.0000002 + 0.1 * 0.0000133334 + 33 * 0.000000125 + 0.000001 * 0.5 + 0.000005;
  expect(month.reconcile).toBeCloseTo(43_200 * run, 9);
  expect(month.queues).toBeCloseTo(43_200 * 15 * (2 * 0.0000004 + 2 * 0.0000005), 9);
});

it('the monthly cost contains the operations dashboard', () => {
  service.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  expect(month.dashboard).toBe(3);
});
