import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile } from '../../bench/harness/figures/figure.ts';
import { ffmpegCpuSeconds } from '../../bench/harness/model/cpu-seconds.ts';
import { type GeneratedSource, generateSource } from '../../bench/harness/model/generated-source.ts';

/** A generated video on the disk. */
export type SourceFile = GeneratedSource & {
  path: string;
  megapixels: number;
  frames: number;
  megabits: number;
  bitsPerPixel: number;
};

export type Machine = {
  ffmpeg: string;
  directory: string;
  print: (line: string) => void;
  /** Processor seconds of an ffmpeg that does nothing. */
  startSeconds: number;
  /** Measured seconds are divided by it: those of this machine for each second of the one whose table stays. */
  slowness: number;
};

export async function makeFile(
  { ffmpeg, directory, print }: Machine,
  name: string,
  source: GeneratedSource,
): Promise<SourceFile> {
  const path = join(directory, `${name}.mkv`);
  await generateSource(ffmpeg, path, source);
  const frames = Math.round(source.seconds * source.framesPerSecond);
  const megapixels = (frames * source.size.width * source.size.height) / 1e6;
  const megabits = ((await stat(path)).size * 8) / 1e6;
  print(`  generated ${name}: ${(megabits / megapixels).toFixed(3)} bits per pixel`);
  return { ...source, path, frames, megapixels, megabits, bitsPerPixel: megabits / megapixels };
}

/** Processor seconds to decode a file and do nothing with its frames. */
export function decodeSeconds(machine: Machine, path: string): Promise<number> {
  return run(machine, ['-i', path, '-f', 'null', '-']);
}

/** Processor seconds of a chain of filters over a file, with its decoding. */
export function filterSeconds(machine: Machine, path: string, filters: string): Promise<number> {
  return run(machine, ['-i', path, path.endsWith('.wav') ? '-af' : '-vf', filters, '-f', 'null', '-']);
}

/** Processor seconds of an encode with its decoding, and the megabits of the file. */
export async function encode(
  machine: Machine,
  path: string,
  args: readonly string[],
): Promise<{ cpuSeconds: number; megabits: number }> {
  const output = join(machine.directory, 'encoded.mkv');
  const cpuSeconds = await run(machine, ['-y', '-i', path, ...args, output]);
  const megabits = ((await stat(output)).size * 8) / 1e6;
  await rm(output);
  return { cpuSeconds, megabits };
}

const maxRuns = 5;

/** A command is repeated until its runs have taken as many processor seconds. */
const enoughSeconds = 4;

/** The median of some runs: other work on the machine doubles the time of a short one. */
async function run({ ffmpeg, directory, slowness }: Machine, args: readonly string[]): Promise<number> {
  const runs: number[] = [];
  for (let sum = 0; runs.length < maxRuns && sum < enoughSeconds; sum += runs.at(-1) ?? 0) {
    const { cpuSeconds } = await ffmpegCpuSeconds(ffmpeg, ['-nostdin', ...args], { directory });
    runs.push(cpuSeconds);
  }
  return quantile(runs, 0.5) / slowness;
}

/** Three digits, as many as a measurement has. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
