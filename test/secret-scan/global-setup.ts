import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { type Leak, leaksInLogLine, leaksInResponse } from './secrets.ts';

/** Makes a directory for what the stages log and answer; after the last test, fails the run if a secret is in it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-recording-'));
  provide('recordingDirectory', directory);
  return async () => {
    try {
      const leaks = await leaksIn(directory);
      if (leaks.length > 0)
        throw new Error(`A stage has logged or answered secrets:\n${leaks.map(leakLine).join('\n')}`);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}

async function leaksIn(directory: string): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for (const name of await readdir(directory)) {
    const leaksInLine = name.endsWith('.lines') ? leaksInLogLine : (line: string) => leaksInResponse(JSON.parse(line));
    for await (const line of createInterface({ input: createReadStream(join(directory, name)) })) {
      if (leaks.length < 20) leaks.push(...leaksInLine(line));
    }
  }
  return leaks;
}

function leakLine({ kind, where }: Leak): string {
  return `  ${kind} in ${where}`;
}
