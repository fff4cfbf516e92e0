import { settingsSchema } from '../lib/settings.ts';
import { type Benchmark, figure, quantile } from './harness/figure.ts';
import { type HostedStage, hostedStage } from './harness/hosted-stage.ts';
import { jobRequest } from './harness/job-request.ts';
import { openLoop } from './harness/open-loop.ts';
import { pairedRatios } from './harness/pairs.ts';
import { seedBacklog } from './harness/seed-backlog.ts';

const queued = 10_000;
/** The steady rate that a stage admits unless it is told otherwise. */
const { requestsPerSecond: rate } = settingsSchema.parse({ stage: 'bench' }).throttling;
const warmUpSeconds = 3;
const seconds = 10;
const pairs = 5;
const goal = 1.5;

/** Whether a caller feels how many jobs wait. No worker runs on either side: it is the backlog that is compared. */
export const backlog: Benchmark = {
  name: 'backlog',
  question: `How long is POST /jobs (p95, at ${rate} requests a second) while ${queued} jobs wait?`,
  baseline: 'the same load on a stage where none does; both are started anew for each pair',
  run: async (say) => {
    const subject = async () => {
      await using busy = await hostedStage();
      await seedBacklog(busy, queued);
      say(`  ${queued} jobs wait`);
      return await p95Ms(busy);
    };
    const baseline = async () => {
      await using idle = await hostedStage();
      return await p95Ms(idle);
    };
    const onPair = (pair: number, ratio: number) => say(`  pair ${pair} of ${pairs}: ${ratio.toFixed(3)}`);
    return [figure('backlog', await pairedRatios({ subject, baseline }, { pairs, onPair }), goal)];
  },
};

async function p95Ms({ baseUrl, apiKey }: HostedStage): Promise<number> {
  const request = {
    url: `${baseUrl}/api/v1/jobs`,
    method: 'POST' as const,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(jobRequest),
  };
  await openLoop({ request, rate, seconds: warmUpSeconds, warmsUp: true });
  return quantile(await openLoop({ request, rate, seconds }), 0.95);
}
