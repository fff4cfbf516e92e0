// @module-tag requests
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { suite } from '@media-jobs/conformance';
import { beforeAll, expect, it } from 'vitest';
import { aConformingStage, type ConformingStage, type Customer } from './builders/a-conforming-stage.ts';

let stage: ConformingStage;
let customer: Customer;

beforeAll(async () => {
  stage = await aConformingStage();
  customer = await stage.aCustomer();
}, 240_000);

/** Runs the suite with key and token in the environment. */
async function conformance(
  args: string[],
  more: Partial<Customer> = {},
  watch: (child: ChildProcess) => void = () => {},
) {
  const { apiKey, sessionToken } = { ...customer, ...more };
  const child = spawn(process.execPath, ['lib/operator/conformance.ts', '--url', stage.baseUrl, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MEDIA_JOBS_KEY: apiKey, MEDIA_JOBS_SESSION: sessionToken },
  });
  watch(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await exited, out, err };
}

const reachable = ['--receive-at', 'http://127.0.0.1', '--receive-port', '0'];

it('the local stage passes every clause', async () => {
  const { exitCode, out, err } = await conformance([...reachable, '--json']);
  const { results, ...summary } = JSON.parse(out) as { results: { id: string; outcome: string }[] };
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(results.map(({ id }) => id)).toEqual(suite.map(({ id }) => id));
  expect(summary).toMatchObject({ passed: suite.length, failed: 0, skipped: 0 });
  expect(exitCode).toBe(0);
  for (const secret of [customer.apiKey, customer.sessionToken]) expect(out + err).not.toContain(secret);
});

it('the suite starts a stage of its own, signs in and receives webhooks', async () => {
  const program = ['lib/operator/conformance.ts', '--local', '--only', 'limits', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  expect(JSON.parse(stdout)).toMatchObject({ passed: 3, failed: 0, skipped: 0 });
});

it('the suite skips clauses without their input and exits with 0', async () => {
  const { exitCode, out } = await conformance(['--only', 'limits'], { sessionToken: '' });
  expect(out).toMatch(/✓ 1\/3 API key length[\s\S]*- 2\/3 [\s\S]*skipped: needs --receive-at/);
  expect(out).toMatch(/Clauses: 1 passed, 0 failed, 2 skipped/);
  expect(exitCode).toBe(0);
});

it('the suite exits with 1 for a failed clause, and with 2 if it cannot run', async () => {
  const broken = await conformance(['--only', 'key.form'], { apiKey: 'nte_of_nobody' });
  expect(broken.out).toMatch(/✗ 1\/1 [\s\S]*GET \/api\/v1\/settings returned 401/);
  expect(broken.exitCode).toBe(1);
  expect(await conformance(['--only', 'nothing'])).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/No clause has an id that starts with nothing/),
  });
});

it('an interrupted suite restores the settings', async () => {
  const begun = Promise.withResolvers<void>();
  const running = conformance([...reachable, '--only', 'rules'], {}, (child) => {
    child.stdout?.once('data', () => begun.resolve(void child.kill('SIGINT')));
  });
  await begun.promise;
  expect(await running).toMatchObject({ exitCode: 2, err: expect.stringMatching(/^Interrupted: /) });
  const settings = await fetch(`${stage.baseUrl}/api/v1/settings`, { headers: { 'x-api-key': customer.apiKey } });
  expect(await settings.json()).toMatchObject({ defaultWebhookUrl: null });
});

it('the suite deletes its jobs', async () => {
  const jobs = await fetch(`${stage.baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': customer.apiKey } });
  expect(await jobs.json()).toEqual({ jobs: [], nextCursor: null });
});

it('every clause has a unique id and a sentence', () => {
  expect(new Set(suite.map(({ id }) => id)).size).toBe(suite.length);
  for (const { section, sentence } of suite) expect([section, sentence]).not.toContain('');
});
