import { runSuite, startRun, suite, timeouts } from '@media-jobs/conformance';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const origin = 'https://dashboard.example';

let running: RunningStage;
beforeAll(async () => {
  const assemblyDirectory = await anAssemblyWith({ dashboardOrigin: origin });
  running = await aRunningStage({ assemblyDirectory });
});
afterAll(() => running?.stop());

/** Results of the cross-origin clauses. */
async function crossOrigin(configured: { origin?: string }): Promise<string[]> {
  const { stage, apiKey } = running;
  const run = await startRun(
    { baseUrl: stage.baseUrl, apiKey, hasDashboard: false, ...configured },
    timeouts,
  );
  const clauses = suite.filter(({ id }) => /^authentication\.[67]/.test(id));
  const outcomes: string[] = [];
  for await (const { clause, outcome } of runSuite(clauses, run)) outcomes.push(`${clause.id} ${outcome}`);
  await run.end();
  return outcomes;
}

it('a configured origin passes the cross-origin clauses', async () => {
  expect(await crossOrigin({ origin })).toEqual([
    'authentication.6.configured passed',
    'authentication.6.any skipped',
    'authentication.7 passed',
  ]);
});

it('a configured origin fails the clauses if the suite does not know it', async () => {
  expect(await crossOrigin({})).toContain('authentication.6.any failed');
});
