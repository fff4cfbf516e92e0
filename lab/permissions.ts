import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from '../lib/build/run-main.ts';
import { synthesize } from '../lib/build/synthesize.ts';
import { formatReport } from './permissions/format-report.ts';
import { mergeReports } from './permissions/merge-reports.ts';

const usage = `Runs the journeys on the local stage and shows how often they used each statement of each policy.

  npm run permissions [-- --json]

  --json  print the counts as JSON on the last line: {"roles","statements","unused","denied"}

Ends with exit code 1 where a journey failed, a statement was never used, or a request was denied.
`;

/** The fast journeys, and those of the full tests that use statements which no fast one uses. */
const journeys = [
  ['test/journeys'],
  [
    '--mode',
    'full',
    'test/journeys/rare-calls',
    'test/journeys/storage.full',
    'test/journeys/storage-by-role',
    'test/journeys/economy',
    'test/journeys/fargate',
    'test/journeys/stage-bucket',
  ],
];

await runMain(async () => {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean' } },
  });
  if (values.help) console.log(usage);
  else process.exitCode = await checkPermissions(values);
});

/** Journeys write what their stages allowed into a folder of this run; see `aRunningStage`. */
async function checkPermissions({ json }: { json: boolean }): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-permissions-'));
  try {
    // Once here, instead of in the first hook of each journey, which has a time limit.
    await synthesize({ stage: 'local' });
    const journeysPassed = await runJourneys(directory);
    const report = await mergeReports(directory);
    console.log(formatReport(report));
    const { roles, statements, unused, denied } = report;
    if (json) {
      console.log(
        JSON.stringify({
          roles: roles.length,
          statements: statements.length,
          unused: unused.length,
          denied: denied.length,
        }),
      );
    }
    return journeysPassed && unused.length === 0 && denied.length === 0 ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function runJourneys(directory: string): Promise<boolean> {
  let passed = true;
  for (const selected of journeys) {
    const vitest = spawn('vitest', ['run', '--project', 'journey', ...selected], {
      stdio: ['ignore', process.stderr, process.stderr],
      env: { ...process.env, PERMISSIONS_REPORT_DIRECTORY: directory },
    });
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    vitest.once('error', reject).once('exit', resolve);
    passed = (await promise) === 0 && passed;
  }
  return passed;
}
