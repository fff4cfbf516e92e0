import { isDeepStrictEqual } from 'node:util';
import { type CallCosts, callsOfDownload, costOfCalls, noUnits } from '../../core/pricing/per-job.ts';
import { defaultPrices, dollarsOf } from '../../core/pricing/region-prices.ts';
import { apiCaller } from './harness/api/api-caller.ts';
import { countedSamples, requestCalls } from './harness/api/counted-samples.ts';
import { seedFile } from './harness/calls/seed-file.ts';
import type { Benchmark } from './harness/figures/figure.ts';
import { medianRatio } from './harness/figures/median-ratio.ts';
import { type HostedStage, hostedStage } from './harness/stage/hosted-stage.ts';

const warmUps = 200;
const samples = { whole: 600, quick: 200 };
const goal = 0.8;

/** A download by the URL of a file: its calls and dollars, and the time of its redirect. */
export const download: Benchmark = {
  name: 'download',
  question:
    'How long is the redirect of the URL of a file? How many calls to AWS and dollars is a download, compared with a presigned URL?',
  baseline: 'a GET of the job; medians of both. The calls are those of core/pricing/per-job.ts',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const stage = cleanup.use(await hostedStage());
    const { jobId, readUnits } = await seedFile(stage);
    const caller = apiCaller(stage);
    cleanup.defer(caller.close);
    const read = () => caller.call({ method: 'GET', path: `/api/v1/jobs/${jobId}` }, 200);
    const { signedUrl } = (JSON.parse(await read()) as { output: { signedUrl: string } }).output;
    const { pathname, search } = new URL(signedUrl);
    const redirect = () => caller.call({ method: 'GET', path: pathname + search }, 302);

    const presigned = (await fetch(signedUrl, { redirect: 'manual' })).headers.get('location') ?? '';
    print(`  by a presigned URL: ${sentence({ calls: await callsOf(stage, presigned), units: noUnits })}`);
    const gateway = { 'apigateway.Request': 1, 'lambda.Invoke': 1 };
    const calls = { ...gateway, ...(await callsOf(stage, signedUrl)) };
    const byRoute = { calls, units: { ...noUnits, read: readUnits } };
    print(`  by the URL of the file: ${sentence(byRoute)}`);
    if (!isDeepStrictEqual(byRoute, callsOfDownload))
      throw new Error(`A download should make the calls of callsOfDownload, but made ${sentence(byRoute)}`);

    const timedRead = async () => {
      const startedAt = performance.now();
      await read();
      return performance.now() - startedAt;
    };
    const sides = {
      subject: redirect,
      baseline: timedRead,
      calls: { GetItem: 1 },
      baselineCalls: { GetItem: 2 },
    };
    const measured = { stage, print, warmUps, samples: samples[extent] };
    return [medianRatio('download redirect', await countedSamples('GET of a file', sides, measured), goal)];
  },
};

/** The calls to DynamoDB and S3 of a download. */
async function callsOf(stage: HostedStage, url: string): Promise<Record<string, number>> {
  await stage.takeCalls();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The download was answered ${response.status}`);
  const { GET, ...others } = requestCalls(await stage.takeCalls());
  const ofTable = Object.entries(others).map(([operation, count]) => [`dynamodb.${operation}`, count]);
  return { ...Object.fromEntries(ofTable), 's3.GetObject': GET ?? 0 };
}

function sentence(spent: CallCosts): string {
  const counted = Object.entries(spent.calls).map(([name, count]) => `${count} ${name}`);
  const dollars = costOfCalls(spent, dollarsOf(defaultPrices)) * 1e6;
  return `${counted.join(', ')}; ${spent.units.read} read units; $${dollars.toFixed(2)} a million`;
}
