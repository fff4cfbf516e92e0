import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { type Leak, leaksOfAnswer, leaksOfLine } from './secrets.ts';

/** Before the journeys: a place for all that their stages say. After them: fails the run if a secret is in it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-said-'));
  provide('saidDirectory', directory);
  return async () => {
    try {
      const leaks = await leaksIn(directory);
      if (leaks.length > 0) throw new Error(`Stages told secrets:\n${leaks.map(told).join('\n')}`);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}

async function leaksIn(directory: string): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for (const name of await readdir(directory)) {
    const judge = name.endsWith('.lines') ? leaksOfLine : (line: string) => leaksOfAnswer(JSON.parse(line));
    for await (const line of createInterface({ input: createReadStream(join(directory, name)) })) {
      if (leaks.length < 20) leaks.push(...judge(line));
    }
  }
  return leaks;
}

function told({ kind, where }: Leak): string {
  return `  ${kind} in ${where}`;
}
