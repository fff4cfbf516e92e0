import { parseArgs } from 'node:util';
import { maxTaskSeconds } from '@media-jobs/video/chunking';
import { costTable, spread } from '@media-jobs/video/cost-model';
import * as z from 'zod';
import { type PriceName, pricesRegion } from '../core/pricing/prices.ts';
import { pricesOf } from '../core/pricing/region-prices.ts';
import { costJson } from './cost/cost-json.ts';
import { recipes, resolutions } from './cost/recipe-forecast.ts';
import { monthTable, workloadTable } from './cost/tables.ts';
import { defaultWorkload, expectedUseOf, type Workload, workersOf } from './cost/workload.ts';
import { assumedPrices, pricedRegions } from './prices/known-regions.ts';
import { forTerminal } from './tables/for-terminal.ts';

const usage = `Estimates the cost of jobs by component. docs/cost.md says what is measured, quoted and assumed.

  npm run cost -- [--minutes 1000] [--resolution 1080p] [--minutes-per-job 5] [--recipe compress|hls]
                  [--speed standard|economy] [--region us-east-1] [--architecture x86_64] [--memory 3008] [--retention-days 30] [--downloads 0] [--encode-speed N]
                  [--json]

  --encode-speed N  seconds of media per second of a worker, from the metric EncodeSpeed of your stage
                    (default: that of the cost model, for the given memory)
  --json            dollars without fixed monthly costs, and what they assume of the vCPUs, of Spot and of a job
`;

const positive = z.coerce.number('must be a number').positive('must be more than 0');
const flags = z
  .object({
    minutes: positive,
    'minutes-per-job': positive,
    resolution: z.enum(
      Object.keys(resolutions) as [keyof typeof resolutions],
      `must be one of ${Object.keys(resolutions).join(', ')}`,
    ),
    recipe: z.enum(Object.keys(recipes) as [keyof typeof recipes], `must be one of ${Object.keys(recipes).join(', ')}`),
    speed: z.enum(['standard', 'economy'], 'must be standard or economy'),
    region: z.enum(pricedRegions, `must be one of ${pricedRegions.join(', ')}`),
    architecture: z.enum(['arm64', 'x86_64'], 'must be arm64 or x86_64'),
    memory: z.coerce.number('must be a number').min(1024, 'must be at least 1024').max(10_240, 'must be at most 10240'),
    'retention-days': positive,
    downloads: z.coerce.number('must be a number').min(0, 'must be 0 or more'),
    'encode-speed': positive,
  })
  .partial();

function workloadOf(values: z.output<typeof flags>): Workload {
  const { 'minutes-per-job': minutesPerJob, memory, 'retention-days': days, 'encode-speed': speed } = values;
  return {
    minutes: values.minutes ?? defaultWorkload.minutes,
    minutesPerJob: minutesPerJob ?? defaultWorkload.minutesPerJob,
    resolution: values.resolution ?? defaultWorkload.resolution,
    recipe: values.recipe ?? defaultWorkload.recipe,
    speed: values.speed ?? defaultWorkload.speed,
    region: values.region ?? defaultWorkload.region,
    architecture: values.architecture ?? defaultWorkload.architecture,
    memoryMb: memory ?? defaultWorkload.memoryMb,
    retentionDays: days ?? defaultWorkload.retentionDays,
    downloads: values.downloads ?? defaultWorkload.downloads,
    encodeSpeed: speed,
  };
}

function assumedSentence(assumed: readonly PriceName[]): string {
  return assumed.length === 0 ? '' : `, and of ${pricesRegion} for ${assumed.join(', ')}`;
}

function printCosts(workload: Workload): void {
  const { region, readOn } = pricesOf(workload.region);
  const assumed = assumedPrices(region);
  const { seconds, chunks, taskSeconds = 0 } = expectedUseOf(workload);
  const { chunking } = workersOf(workload);
  console.log(forTerminal(workloadTable(workload)));
  const how =
    workload.speed === 'economy'
      ? 'once a task of the pool has taken it'
      : chunks === 1
        ? 'in a single pass'
        : `in ${chunks} chunks, ${chunking.maxParallelChunks} at once as with default settings`;
  console.log(`\nA job of ${workload.minutesPerJob} minutes takes ${(seconds / 60).toFixed(1)} minutes, ${how}.`);
  if ((taskSeconds / chunks) * spread > maxTaskSeconds) {
    console.log(
      'The stage may reject it: a chunk may exceed the time of a function. More memory makes a function faster.',
    );
  }
  console.log(`\nFixed monthly cost:\n\n${forTerminal(monthTable(workload.region))}`);
  console.log(
    `\nUS dollars, prices of ${region} as of ${readOn}${assumedSentence(assumed)}. CPU time calibrated on ${costTable.measuredOn}.\n` +
      'docs/cost.md lists the source of each price, and what is unverified.',
  );
}

try {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(Object.keys(flags.shape).map((name) => [name, { type: 'string' as const }])),
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(usage);
  else {
    const workload = workloadOf(flags.parse(values));
    if (values.json) console.log(JSON.stringify(costJson(workload), null, 2));
    else printCosts(workload);
  }
} catch (error) {
  const [issue] = error instanceof z.ZodError ? error.issues : [];
  console.error(issue ? `--${issue.path.join('.')} ${issue.message}.` : (error as Error).message);
  process.exitCode = 1;
}
