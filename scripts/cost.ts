import { parseArgs } from 'node:util';
import * as z from 'zod';
import { defaultWorkload, jobSeconds } from './cost/estimate.ts';
import { pricesReadOn } from './cost/prices.ts';
import { resolutions } from './cost/resolutions.ts';
import { workloadTable } from './cost/tables.ts';

const usage = `What a month of jobs costs, part by part. docs/cost.md says what is measured, quoted and assumed.

  npm run cost -- [--minutes 1000] [--resolution 1080p] [--minutes-per-job 5]
                  [--architecture arm64] [--memory 3008] [--retention-days 30] [--downloads 0]
`;

const positive = z.coerce.number().positive('must be more than 0');
const flags = z.object({
  minutes: positive,
  'minutes-per-job': positive,
  resolution: z.enum(Object.keys(resolutions) as [keyof typeof resolutions]),
  architecture: z.enum(['arm64', 'x86_64']),
  memory: z.coerce.number().min(128).max(10_240),
  'retention-days': positive,
  downloads: z.coerce.number().min(0),
});

try {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(Object.keys(flags.shape).map((name) => [name, { type: 'string' as const }])),
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(usage);
  else estimate(values);
} catch (error) {
  console.error(error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message);
  process.exitCode = 1;
}

function estimate(values: object): void {
  const given = flags.partial().parse(values);
  const workload = {
    ...defaultWorkload,
    ...given,
    minutesPerJob: given['minutes-per-job'] ?? defaultWorkload.minutesPerJob,
    memoryMb: given.memory ?? defaultWorkload.memoryMb,
    retentionDays: given['retention-days'] ?? defaultWorkload.retentionDays,
  };
  console.log(workloadTable(workload));
  const seconds = jobSeconds(workload);
  console.log(
    `\nA job takes about ${(seconds / 60).toFixed(1)} minutes. Prices as of ${pricesReadOn}, in US dollars.`,
  );
  if (seconds > 15 * 60) console.log('That is longer than a function may run: it would end as TIMEOUT.');
}
