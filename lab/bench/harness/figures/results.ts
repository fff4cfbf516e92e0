import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { arch, cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from '../../../../lib/build/paths.ts';
import type { Figure } from './figure.ts';

const figureSchema = z.strictObject({
  name: z.string(),
  ratio: z.number(),
  low: z.number(),
  high: z.number(),
  goal: z.number(),
  met: z.boolean(),
  peer: z.string().optional(),
  verdict: z.enum(['ours', 'theirs']).optional(),
});

const runSchema = z.strictObject({
  /** When it began. */
  at: z.iso.datetime(),
  /** The share of the processors that other work used in the seconds before it began. */
  busyShare: z.number().min(0).max(1),
  /** Its duration. */
  seconds: z.number().min(0),
  machine: z.string(),
  figures: z.array(figureSchema).min(1),
});

export type Run = z.output<typeof runSchema>;

const resultsSchema = z.record(z.string(), runSchema);

/** The last recorded run of each benchmark, by its name. */
export type Results = z.output<typeof resultsSchema>;

/** The recorded runs, from which docs/benchmarks.md is written. */
const resultsPath = join(root, 'docs', 'benchmarks.json');

/** @throws ZodError for a document of another shape */
function parseResults(text: string): Results {
  return resultsSchema.parse(JSON.parse(text));
}

/** The last recorded run of each benchmark, from docs/benchmarks.json. */
export function lastResults(): Results {
  return parseResults(readFileSync(resultsPath, 'utf8'));
}

/** The date, the other work and the machine of a run that starts now. */
export function circumstances(now: Date, busyShare: number): Pick<Run, 'at' | 'busyShare' | 'machine'> {
  const processors = cpus();
  const gb = Math.round(totalmem() / 2 ** 30);
  return {
    at: now.toISOString(),
    busyShare: Number(busyShare.toFixed(3)),
    machine: `${processors.length} x ${processors[0]?.model.trim()}, ${gb} GB, ${type()} ${arch()}, Node ${process.version}`,
  };
}

/** Replaces the recorded run of a benchmark. */
export async function recordRun(name: string, run: Omit<Run, 'figures'>, figures: Figure[]): Promise<void> {
  const results = lastResults();
  const sorted = Object.entries({ ...results, [name]: { ...run, figures: figures.map(rounded) } }).sort();
  await writeFile(resultsPath, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

function rounded(figure: Figure): Figure {
  const [ratio, low, high] = [figure.ratio, figure.low, figure.high].map((one) => Number(one.toFixed(4)));
  return { ...figure, ratio: ratio ?? 0, low: low ?? 0, high: high ?? 0 };
}
