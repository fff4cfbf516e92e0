import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchmarkSections, benchmarksSummary } from '../../lab/bench/harness/figures/page.ts';
import type { Results } from '../../lab/bench/harness/figures/results.ts';
import { lastResults } from '../../lab/bench/harness/figures/results.ts';
import { benchmarks } from '../../lab/bench/registry.ts';
import { root } from '../../lib/build/paths.ts';

const page = readFileSync(path.join(root, 'docs/benchmarks.md'), 'utf8');

describe('the page of the benchmarks', () => {
  it('lists only existing benchmarks', () => {
    const names = benchmarks.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(lastResults())));
  });

  it('gives a reason for every goal that was missed', () => {
    const [, reasons = ''] = /## Where a goal is missed\n([\s\S]*?)\n## /.exec(page) ?? [];
    const missed = Object.entries(lastResults())
      .filter(([, { figures }]) => figures.some(({ met }) => !met))
      .map(([name]) => name);
    for (const name of missed) expect(reasons).toMatch(new RegExp(`^### ${name}$`, 'm'));
  });

  it('marks no figure as met whose ratio misses the goal', () => {
    for (const { figures } of Object.values(lastResults())) {
      for (const { ratio, goal, met } of figures) if (met) expect(ratio).toBeLessThanOrEqual(goal);
    }
  });
});

describe('the report of a run', () => {
  const described = { name: 'cold', question: 'How long?', baseline: 'another' };
  const figure = { name: 'cold', ratio: 0.9, low: 0.85, high: 0.95, goal: 0.85, met: false };
  const run = { at: '2026-11-21T09:30:12.000Z', busyShare: 0.02, seconds: 90, machine: 'one', figures: [figure] };
  const results: Results = { cold: run };

  it('has the ratio, its spread, its goal and the verdict', () => {
    expect(benchmarkSections([described], results)).toContain('| cold | 0.900 | 0.850 to 0.950 | 0.85 | **missed** |');
    expect(benchmarksSummary([described], results)).toContain(
      '| [cold](#cold) | 0 of 1 | 2026-11-21 09:30 UTC | 1.5 |',
    );
  });

  it.each([
    [0.02, '| 2 % |'],
    [0.1, '| 10 % |'],
    [0.25, '| **25 %** |'],
  ])('has the share of the processors that other work used: %d', (busyShare, cell) => {
    expect(benchmarksSummary([described], { cold: { ...run, busyShare } })).toContain(cell);
  });

  it('says that a benchmark has not run yet', () => {
    expect(benchmarkSections([described], {})).toContain('Not run yet.');
    expect(benchmarksSummary([described], {})).toContain('not yet');
  });
});
