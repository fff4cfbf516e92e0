import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../../lib/build/paths.ts';
import { fillTables } from '../../../markdown/fill-tables.ts';
import type { Benchmark } from './figure.ts';
import { benchmarkSections, benchmarksSummary } from './page.ts';
import { lastResults } from './results.ts';

const page = join(root, 'docs', 'benchmarks.md');

/** The tables of docs/benchmarks.md by name, from the last recorded runs. */
export function benchmarkTables(benchmarks: readonly Benchmark[]): Record<string, string> {
  const results = lastResults();
  return {
    summary: benchmarksSummary(benchmarks, results),
    benchmarks: benchmarkSections(benchmarks, results),
  };
}

/** Writes the tables of docs/benchmarks.md anew; its text stays. */
export async function writePage(benchmarks: readonly Benchmark[]): Promise<void> {
  await writeFile(page, fillTables(await readFile(page, 'utf8'), benchmarkTables(benchmarks)));
}
