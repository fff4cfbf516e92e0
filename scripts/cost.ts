import { parseArgs } from 'node:util';
import * as z from 'zod';
import { measuredOn } from './cost/measured.ts';
import { pricesReadOn } from './cost/prices.ts';
import { resolutions } from './cost/resolutions.ts';
import { monthTable, workloadTable } from './cost/tables.ts';
import { defaultWorkload, jobSeconds, maxJobSeconds, type Workload } from './cost/workload.ts';
import { forTerminal } from './tables/for-terminal.ts';

const usage = `What jobs cost, part by part. docs/cost.md says what is measured, quoted and assumed.

  npm run cost -- [--minutes 1000] [--resolution 1080p] [--minutes-per-job 5] [--architecture arm64]
                  [--memory 3008] [--retention-days 30] [--downloads 0] [--encode-speed N]

  --encode-speed N  seconds of media per second of a worker, from the metric EncodeSpeed of your stage
                    (default: reckoned from what was measured, for the memory given)
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
    architecture: z.enum(['arm64', 'x86_64'], 'must be arm64 or x86_64'),
    memory: z.coerce
      .number('must be a number')
      .min(1024, 'must be at least 1024')
      .max(10_240, 'must be at most 10240'),
    'retention-days': positive,
    downloads: z.coerce.number('must be a number').min(0, 'must be 0 or more'),
    'encode-speed': positive,
  })
  .partial();

function workloadOf(given: z.output<typeof flags>): Workload {
  const { 'minutes-per-job': minutesPerJob, memory, 'retention-days': days, 'encode-speed': speed } = given;
  return {
    minutes: given.minutes ?? defaultWorkload.minutes,
    minutesPerJob: minutesPerJob ?? defaultWorkload.minutesPerJob,
    resolution: given.resolution ?? defaultWorkload.resolution,
    architecture: given.architecture ?? defaultWorkload.architecture,
    memoryMb: memory ?? defaultWorkload.memoryMb,
    retentionDays: days ?? defaultWorkload.retentionDays,
    downloads: given.downloads ?? defaultWorkload.downloads,
    encodeSpeed: speed,
  };
}

function printCosts(workload: Workload): void {
  const seconds = jobSeconds(workload);
  console.log(forTerminal(workloadTable(workload)));
  console.log(`\nA job of ${workload.minutesPerJob} minutes takes ${(seconds / 60).toFixed(1)} minutes.`);
  if (seconds > maxJobSeconds) {
    console.log(
      'No function may run that long: it is encoded in parts, side by side, for about the same money (docs/cost.md,\n' +
        '"A film of two hours"). Where it cannot be cut it fails, unless the transcoder gets more memory.',
    );
  }
  console.log(`\nBesides, whatever is submitted:\n\n${forTerminal(monthTable())}`);
  console.log(
    `\nUS dollars, prices as read on ${pricesReadOn}. Processor time as measured on ${measuredOn}.\n` +
      'docs/cost.md says where each price is from, and what is unverified.',
  );
}

try {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(Object.keys(flags.shape).map((name) => [name, { type: 'string' as const }])),
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(usage);
  else printCosts(workloadOf(flags.parse(values)));
} catch (error) {
  const [issue] = error instanceof z.ZodError ? error.issues : [];
  console.error(issue ? `--${issue.path.join('.')} ${issue.message}.` : (error as Error).message);
  process.exitCode = 1;
}
