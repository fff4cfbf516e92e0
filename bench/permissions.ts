import { apiCaller } from './harness/api/api-caller.ts';
import { jobRequest } from './harness/api/job-request.ts';
import type { Benchmark } from './harness/figures/figure.ts';
import { medianRatio, type Samples } from './harness/figures/median-ratio.ts';
import { type HostedStage, hostedStage } from './harness/stage/hosted-stage.ts';

const warmUps = 100;
const reads = { whole: 1_500, quick: 500 };
/** Each pair submits two jobs, and an owner has at most 1,000 unfinished ones. */
const submissions = { whole: 350, quick: 150 };
const goal = 1.03;

/** What it costs that the local stage checks each call against the policies of the template. */
export const permissions: Benchmark = {
  name: 'permissions',
  question: 'How long is a request to the local API if its calls are checked against the policies?',
  baseline:
    'the same request to the same processes while the checks are suspended, in turn, in alternating order; medians of both',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const stage = cleanup.use(await hostedStage());
    const caller = apiCaller(stage);
    cleanup.defer(caller.close);
    const submit = () => caller.call({ method: 'POST', path: '/api/v1/jobs', body: jobRequest }, 201);
    const { jobId } = JSON.parse(await submit()) as { jobId: string };
    const read = () => caller.call({ method: 'GET', path: `/api/v1/jobs/${jobId}` }, 200);
    return [
      medianRatio(
        'permissions-get',
        await samplesOf('GET /jobs/:id', read, { stage, print, pairs: reads[extent] }),
        goal,
      ),
      medianRatio(
        'permissions-post',
        await samplesOf('POST /jobs', submit, { stage, print, pairs: submissions[extent] }),
        goal,
      ),
    ];
  },
};

/**
 * Times a request with and without checks, in milliseconds.
 *
 * @throws Error if the checks were not made, or not decided from the cache
 */
async function samplesOf(
  name: string,
  request: () => Promise<unknown>,
  { stage, print, pairs }: { stage: HostedStage; print: (line: string) => void; pairs: number },
): Promise<Samples> {
  const timed = async (isChecked: boolean) => {
    await stage.checkPermissions(isChecked);
    const startedAt = performance.now();
    await request();
    return performance.now() - startedAt;
  };
  const samples = { subject: [] as number[], baseline: [] as number[] };
  const measurePair = async (number: number) => {
    const order = number % 2 === 0 ? (['subject', 'baseline'] as const) : (['baseline', 'subject'] as const);
    for (const side of order) samples[side].push(await timed(side === 'subject'));
  };
  for (let count = 0; count < warmUps; count++) await measurePair(count);
  const before = await stage.checkPermissions(true);
  samples.subject = [];
  samples.baseline = [];
  for (let count = 0; count < pairs; count++) await measurePair(count);
  const after = await stage.checkPermissions(true);
  const checks = (after.checks - before.checks) / pairs;
  const evaluations = after.evaluations - before.evaluations;
  // Reconcile runs every minute: its first calls are evaluated.
  if (checks < 1 || evaluations > pairs / 100) {
    throw new Error(
      `Expected checks from the cache, found ${checks} a request and ${evaluations} evaluations`,
    );
  }
  print(`  ${name}: ${checks.toFixed(1)} checks a request, ${evaluations} of all not from the cache`);
  return samples;
}
