import { readFileSync } from 'node:fs';
import { parseResults, type Results, resultsPath } from '../../bench/harness/figures/results.ts';

/** What docs/benchmarks.json holds. */
export function lastResults(): Results {
  return parseResults(readFileSync(resultsPath, 'utf8'));
}
