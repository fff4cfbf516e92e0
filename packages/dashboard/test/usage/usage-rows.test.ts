import { expect, it } from 'vitest';
import { dayRows, keyRows, presetRows, recipeRows, valueRows } from '../../src/usage/usage-rows.ts';

const jobs = { queued: 0, processing: 0, completed: 0, failed: 0, rejected: 0, cancelled: 0 };
const sums = { mediaSeconds: 60, computeSeconds: 30, outputBytes: 1_000, usd: 1 };
const group = (keyId: string | null, recipe: string | null, usd: number) => ({
  ...sums,
  keyId,
  recipe,
  usd,
  jobs: { completed: 1, failed: 0, rejected: 0, cancelled: 0 },
});
const days = [
  { ...sums, date: '2026-11-20', jobs, groups: [group('key-1', 'hls', 1), group(null, 'hls', 5)] },
  { ...sums, date: '2026-11-21', jobs: { ...jobs, queued: 2 }, groups: [group('key-1', 'trim', 3)] },
  { ...sums, date: '2026-11-22', jobs, usd: 0 },
];

it('the rows by recipe have the sums of all days and keys, the most expensive first', () => {
  expect(recipeRows(days).map(({ label, jobs, usd }) => [label, jobs.completed, usd])).toEqual([
    ['hls', 2, 6],
    ['trim', 1, 3],
  ]);
});

it('the rows by preset or metadata value have those without one too', () => {
  const day = { ...sums, date: '2026-11-20', jobs };
  const groups = [
    { preset: 'course@2', value: '17' },
    { preset: null, value: null },
  ].map((labels, index) => ({
    ...{ ...sums, ...labels, usd: 2 - index },
    jobs: { completed: 1, failed: 0, rejected: 0, cancelled: 0 },
  }));
  expect(presetRows([{ ...day, groups }]).map(({ label }) => label)).toEqual(['course@2', 'no preset']);
  expect(valueRows([{ ...day, groups }]).map(({ label }) => label)).toEqual(['17', 'Without the key']);
  expect(presetRows([{ ...day, groups: groups.slice(1) }])).toEqual([]);
});

it('the rows by key have its name, the end of its id once it is revoked, or none', () => {
  const labels = (keys: Parameters<typeof keyRows>[1]) => keyRows(days, keys).map(({ label, usd }) => [label, usd]);
  expect(labels([{ keyId: 'key-1', name: 'backend' }])).toEqual([
    ['Without a key', 5],
    ['backend', 4],
  ]);
  expect(labels([])[1]).toEqual(['Revoked or expired key …key-1', 4]);
});

it('the rows by day are the days with jobs or costs, newest first, with their unfinished jobs', () => {
  expect(dayRows(days).map(({ id, unfinished }) => [id, unfinished])).toEqual([
    ['2026-11-21', 2],
    ['2026-11-20', 0],
  ]);
});
