import { runSuite, startRun, suite, timeouts } from '@media-jobs/conformance';
import { beforeAll, expect, it } from 'vitest';
import type { Contract } from '../../core/api/contract.ts';
import { contracts } from '../../core/api/registry.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const origin = 'https://dashboard.example';

let running: RunningStage;
beforeAll(async () => {
  const assemblyDirectory = await anAssemblyWith({ dashboardOrigin: origin });
  running = await aRunningStage({ assemblyDirectory });
});

/** Results of the cross-origin clauses. */
async function crossOrigin(configured: { origin?: string }): Promise<string[]> {
  const { stage, apiKey } = running;
  const run = await startRun({ baseUrl: stage.baseUrl, apiKey, hasDashboard: false, ...configured }, timeouts);
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

const allowedFor = (answer: Response) => [answer.status, answer.headers.get('access-control-allow-origin')];

it('every route answers preflights of that origin only, those of files of any', async () => {
  for (const { path, method, anyOrigin = false } of contracts as readonly Contract[]) {
    const url = running.stage.baseUrl + path.replaceAll(/\{\w+\}/g, 'x');
    const preflight = (from: string) =>
      fetch(url, { method: 'OPTIONS', headers: { origin: from, 'access-control-request-method': method } });
    expect([path, ...allowedFor(await preflight(origin))]).toEqual([path, 204, anyOrigin ? '*' : origin]);
    for (const from of ['https://elsewhere.example', 'null'])
      expect([path, ...allowedFor(await preflight(from))]).toEqual([path, 204, anyOrigin ? '*' : null]);
  }
});

it('errors of a file route are readable by any origin', async () => {
  const url = `${running.stage.baseUrl}/api/v1/jobs/x/files/output/x.mp4?o=a&e=b&s=c`;
  for (const from of [origin, 'https://elsewhere.example', 'null'])
    expect(allowedFor(await fetch(url, { headers: { origin: from } }))).toEqual([404, '*']);
});

it('a configured origin fails the clauses if the suite does not know it', async () => {
  expect(await crossOrigin({})).toContain('authentication.6.any failed');
});
