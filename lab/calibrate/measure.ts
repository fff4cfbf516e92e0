import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from './machine.ts';

/** Processor seconds to decode a file and do nothing with its frames. */
export function decodeSeconds({ cpuSeconds }: Machine, path: string): Promise<number> {
  return cpuSeconds(['-i', path, '-f', 'null', '-']);
}

/** Processor seconds of a chain of filters over a file, with its decoding. */
export function filterSeconds({ cpuSeconds }: Machine, path: string, filters: string): Promise<number> {
  return cpuSeconds(['-i', path, path.endsWith('.wav') ? '-af' : '-vf', filters, '-f', 'null', '-']);
}

/** Processor seconds of an encode with its decoding, and the megabits of the file. */
export async function encode(
  machine: Machine,
  path: string,
  args: readonly string[],
): Promise<{ cpuSeconds: number; megabits: number }> {
  const output = join(machine.directory, 'encoded.mkv');
  const cpuSeconds = await machine.cpuSeconds(['-y', '-i', path, ...args, output]);
  const megabits = ((await stat(output)).size * 8) / 1e6;
  await rm(output);
  return { cpuSeconds, megabits };
}

/** Three digits, as many as a measurement has. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
