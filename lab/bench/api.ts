import { apiCaller } from './harness/api/api-caller.ts';
import { bareCalls } from './harness/api/bare-calls.ts';
import { countedSamples } from './harness/api/counted-samples.ts';
import { jobRequest } from './harness/api/job-request.ts';
import type { Benchmark } from './harness/figures/figure.ts';
import { medianRatio } from './harness/figures/median-ratio.ts';
import { hostedStage } from './harness/stage/hosted-stage.ts';

const warmUps = 200;
const samples = { whole: 600, quick: 200 };

/** The overhead of the service on top of its AWS calls: gateway, function process, and code. */
export const api: Benchmark = {
  name: 'api',
  question: 'How long is a request over HTTP, compared with the DynamoDB and SQS calls that it makes?',
  baseline: 'the same calls in sequence by the AWS SDK alone (lab/bench/harness/api/bare-calls.ts); medians of both',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const stage = cleanup.use(await hostedStage());
    const caller = apiCaller(stage);
    cleanup.defer(caller.close);
    const bare = bareCalls(stage);
    cleanup.defer(bare.close);
    const submit = () => caller.call({ method: 'POST', path: '/api/v1/jobs', body: jobRequest }, 201);
    const { jobId } = JSON.parse(await submit()) as { jobId: string };
    // Of a queued job, a GET also reads the waiting line for its position: those calls grow with the line.
    await caller.call({ method: 'POST', path: `/api/v1/jobs/${jobId}/cancel` }, 200);
    const read = () => caller.call({ method: 'GET', path: `/api/v1/jobs/${jobId}` }, 200);

    const get = { subject: read, baseline: () => bare.get(jobId), calls: { GetItem: 2 } };
    const post = { subject: submit, baseline: bare.post, calls: { GetItem: 2, PutItem: 2, SendMessage: 1 } };
    const measured = { stage, print, warmUps, samples: samples[extent] };
    return [
      medianRatio('api-get', await countedSamples('GET /jobs/:id', get, measured), 1.25),
      medianRatio('api-post', await countedSamples('POST /jobs', post, measured), 1.2),
    ];
  },
};
