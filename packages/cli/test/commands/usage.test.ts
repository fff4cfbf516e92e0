import { getUsageContract } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

const { example } = getUsageContract.responses[200];
const [day] = example.days;
const noJobs = { queued: 0, processing: 0, completed: 0, failed: 0, rejected: 0, cancelled: 0 };

async function usage(body: object, ...args: string[]) {
  const api = await aStubApi({ 'GET /api/v1/usage': { status: 200, body } });
  const result = await runCli(['usage', ...args], { baseUrl: api.origin });
  return { ...result, paths: api.requests.map(({ path }) => path) };
}

it('usage shows the days that have jobs, and their sums', async () => {
  const days = [{ ...day, date: '2026-11-19' }, { ...day, date: '2026-11-20', jobs: noJobs }, day];
  const { exitCode, out, err } = await usage({ days, truncated: false });
  const rows = out.trimEnd().split('\n');
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    expect.arrayContaining(['DAY', 'COMPLETED', 'OUTPUT', 'COST']),
    ['2026-11-19', '0', '1', '41', '1', '2', '0', '1 h 25 min', '48 min 24 s', '811 MB', '$0.18'],
    ['2026-11-21', '0', '1', '41', '1', '2', '0', '1 h 25 min', '48 min 24 s', '811 MB', '$0.18'],
    ['All', '0', '2', '82', '2', '4', '0', '2 h 50 min', '1 h 37 min', '1.6 GB', '$0.37'],
  ]);
  expect([exitCode, err]).toEqual([0, '']);
});

it('usage requests the given period', async () => {
  const { paths } = await usage(example, '--from', '2026-11-01', '--to', '2026-11-21');
  expect(paths).toEqual(['/api/v1/usage?from=2026-11-01&to=2026-11-21']);
});

it('usage reports that there are no jobs, or that not all jobs were counted', async () => {
  const { out, err } = await usage({ days: [{ ...day, jobs: noJobs }], truncated: true });
  expect(out).toBe('There are no jobs in this period.\n');
  expect(err).toBe('Not all jobs were counted. Request fewer days.\n');
});

it('usage --by sums the groups of all days, the most expensive first', async () => {
  const group = (recipe: string | null, completed: number, usd: number) => ({
    keyId: null,
    recipe,
    jobs: { completed, failed: 1, rejected: 0, cancelled: 0 },
    mediaSeconds: 60,
    computeSeconds: 30,
    outputBytes: 1e6,
    usd,
  });
  const days = [
    { ...day, groups: [group('hls', 1, 1), group('compress', 2, 0.75)] },
    { ...day, groups: [group('compress', 3, 0.75), group(null, 1, 0)] },
  ];
  const { out, err, paths } = await usage({ days, truncated: true }, '--by', 'key,recipe');
  expect(err).toBe('Not all jobs were counted. Request fewer days.\n');
  expect(paths).toEqual(['/api/v1/usage?by=key%2Crecipe']);
  const rows = out.trimEnd().split('\n');
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    expect.arrayContaining(['KEY / RECIPE', 'COMPLETED', 'OUTPUT', 'COST']),
    ['no key / compress', '5', '2', '0', '0', '2 min', '1 min', '2.0 MB', '$1.50'],
    ['no key / hls', '1', '1', '0', '0', '1 min', '30 s', '1.0 MB', '$1.00'],
    ['no key / not recorded', '1', '1', '0', '0', '1 min', '30 s', '1.0 MB', '$0'],
  ]);
});

it.each([
  ['preset', { preset: 'course@2' }, 'PRESET', 'course@2'],
  ['preset', { preset: null }, 'PRESET', 'no preset'],
  ['metadata.order', { value: '17' }, 'metadata.order', '17'],
  ['metadata.order', { value: null }, 'metadata.order', 'none'],
])('usage --by %s has the label of %j', async (by, labels, title, label) => {
  const { out } = await usage({ days: [{ ...day, groups: [{ ...day, ...labels }] }], truncated: false }, '--by', by);
  expect(out.split('\n').map((row) => row.split(/ {2,}/)[0])).toEqual([title, label, '']);
});

it('usage --json prints the response of the API', async () => {
  const { out, err } = await usage({ ...example, truncated: true }, '--json');
  expect([JSON.parse(out), err]).toEqual([{ ...example, truncated: true }, '']);
});
