import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ffmpegEncoder } from '../../adapters/ffmpeg/encoder.ts';
import { ffmpegArguments } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { planRecipe, recipeRequestSchema } from '../../core/recipes/registry.ts';
import type { Measured, Resolution } from './measured.ts';

const run = promisify(execFile);
const bounds = {
  maxPixels: 100_000_000,
  maxAllocationBytes: 2 ** 31,
  maxCpuSeconds: 3600,
  cpuCount: availableParallelism(),
};

type Tools = { encoder: ReturnType<typeof ffmpegEncoder>; ffmpegPath: string; directory: string };
type Sample = { clip: string; resolution: Resolution; seconds: number };

/**
 * Compresses a clip with the recipe `compress`, crf 28, and measures CPU time, which a busy machine affects little.
 * `busy` is the used share of all CPUs.
 */
export async function measureCompress(
  { encoder, ffmpegPath, directory }: Tools,
  sample: Sample,
): Promise<Measured & { busy: number }> {
  const inputPath = join(directory, 'input.mp4');
  await run(ffmpegPath, sourceArguments(sample, inputPath));
  const signal = AbortSignal.timeout(600_000);
  const probe = await encoder.probe(inputPath, { signal });
  const plan = planRecipe(recipeRequestSchema.parse({ name: 'compress', crf: 28 }), {
    probe,
    format: 'mp4',
    inputPath,
    outputDirectory: directory,
  });
  const [command] = 'commands' in plan ? plan.commands : [];
  if (command === undefined) throw new Error('Expected the recipe to plan a command, found none.');
  const { stderr } = await run(ffmpegPath, ['-benchmark', ...ffmpegArguments(command, bounds)], {
    cwd: directory,
    maxBuffer: 64_000_000,
  });
  const { cpuSeconds, clockSeconds } = readBenchmark(stderr);
  const output = await encoder.probe(join(directory, 'output.mp4'), { signal });
  return {
    cpu: cpuSeconds / sample.seconds,
    busy: cpuSeconds / clockSeconds / availableParallelism(),
    bitrateKbps: (output.sizeBytes * 8) / 1000 / sample.seconds,
  };
}

function sourceArguments({ clip, resolution: { width, height }, seconds }: Sample, path: string): string[] {
  const scaleAndCrop = `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height}`;
  const video = ['-c:v', 'libx264', '-preset', 'superfast', '-crf', '20', '-pix_fmt', 'yuv420p'];
  return [
    ...['-v', 'error', '-y', '-stream_loop', '-1', '-i', clip],
    ...[
      '-vf',
      `${scaleAndCrop},fps=30,noise=alls=6:allf=t`,
      ...video,
      '-c:a',
      'aac',
      '-t',
      String(seconds),
      path,
    ],
  ];
}

function readBenchmark(stderr: string): { cpuSeconds: number; clockSeconds: number } {
  const [, user, system, clock] = /bench: utime=([\d.]+)s stime=([\d.]+)s rtime=([\d.]+)s/.exec(stderr) ?? [];
  if (clock === undefined) throw new Error('ffmpeg printed no line "bench: utime=…".');
  return { cpuSeconds: Number(user) + Number(system), clockSeconds: Number(clock) };
}
