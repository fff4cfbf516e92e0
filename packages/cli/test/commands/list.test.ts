import { completedJobExample } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

it('list prints the command for the next page, with the filters of the cursor', async () => {
  const page = { jobs: [completedJobExample], nextCursor: 'bmV4dA' };
  const api = await aStubApi({ 'GET /api/v1/jobs': { status: 200, body: page } });
  const filters = ['--state', 'completed', '--created-after', '2026-03-01T12:00:00Z'];
  const pairs = ['--metadata', "note=it's late"];
  const { err } = await runCli(['list', '--limit', '5', ...filters, ...pairs], { baseUrl: api.origin });
  const [, command = ''] = /^Next page: media-jobs (.*)$/m.exec(err) ?? [];
  expect(command).toContain("--metadata 'note=it'\\''s late'");

  const args = command.replace("'note=it'\\''s late'", "note=it's§late").split(' ');
  await runCli(
    args.map((word) => word.replace('§', ' ')),
    { baseUrl: api.origin },
  );
  const [first, next] = api.requests.map(({ path }) => new URL(path, api.origin).searchParams);
  expect(Object.fromEntries(next ?? [])).toEqual({ ...Object.fromEntries(first ?? []), cursor: 'bmV4dA' });
});

it('list shows beside the state how many warnings a job has', async () => {
  const warnings = [{ code: 'TRACK_DROPPED', message: 'Track 2 was left out.' }];
  const jobs = [completedJobExample, { ...completedJobExample, warnings }];
  const api = await aStubApi({ 'GET /api/v1/jobs': { status: 200, body: { jobs, nextCursor: null } } });
  const { out } = await runCli(['list'], { baseUrl: api.origin });
  const [, without, withOne] = out.split('\n');
  expect(without).toMatch(/ {2}completed +100 % /);
  expect(withOne).toMatch(/ {2}completed, warnings: 1 +100 % /);
});
