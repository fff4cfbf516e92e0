import { jobRequest } from './harness/api/job-request.ts';
import { openLoop } from './harness/api/open-loop.ts';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { type HostedStage, hostedStage } from './harness/stage/hosted-stage.ts';
import { seedBacklog } from './harness/stage/seed-backlog.ts';

const queued = 10_000;
/** At 50 a second, two slow processors are near their limit: a short pause makes many requests wait for each other. */
const rate = 20;
/** Sandboxes start in the first seconds, and the requests that wait for them delay later ones. */
const warmUpSeconds = 5;
const seconds = 15;
const pairs = { whole: 5, quick: 2 };
const goal = 1.5;

/** Whether queued jobs slow down a request. No worker runs on either side: only the backlog differs. */
export const backlog: Benchmark = {
  name: 'backlog',
  question: `How long is POST /jobs (p95, at ${rate} requests a second) while ${queued} jobs are queued?`,
  baseline:
    'the same load on a stage whose queued jobs were removed, so that its emulators are as warm; both stages are started anew for each pair',
  run: async (print, { extent }) => {
    const sideOf = (isRemoved: boolean) => async () => {
      await using stage = await hostedStage();
      await seedBacklog(stage, { count: queued, isRemoved });
      print(`  ${queued} jobs are queued${isRemoved ? ' and removed' : ''}`);
      return await p95Ms(stage);
    };
    const sides = { subject: sideOf(false), baseline: sideOf(true) };
    const onPair = (pair: number, ratio: number) => print(`  pair ${pair} of ${pairs[extent]}: ${ratio.toFixed(3)}`);
    return [figure('backlog', await pairedRatios(sides, { pairs: pairs[extent], onPair }), goal)];
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
