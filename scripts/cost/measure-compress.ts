import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ffmpegEncoder } from '../../adapters/ffmpeg/encoder.ts';
import { ffmpegArguments } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { planRecipe, recipeRequestSchema } from '../../core/recipes/registry.ts';
import type { Measured } from './measured.ts';
import type { Resolution } from './resolutions.ts';

const run = promisify(execFile);
const bounds = { maxPixels: 100_000_000, maxAllocationBytes: 2 ** 31, maxCpuSeconds: 3600 };

type Place = { encoder: ReturnType<typeof ffmpegEncoder>; ffmpegPath: string; directory: string };
type Sample = { clip: string; resolution: Resolution; seconds: number };

/**
 * Compresses a clip by the arguments of the recipe `compress` with crf 28. Time of the processors and not of the
 * clock, so that a busy machine changes little; `busy` is the part of all processors that was used meanwhile.
 */
export async function measureCompress(
  { encoder, ffmpegPath, directory }: Place,
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
  if (command === undefined) throw new Error('The recipe has no command.');
  const { stderr } = await run(ffmpegPath, ['-benchmark', ...ffmpegArguments(command, bounds)], {
    cwd: directory,
    maxBuffer: 64_000_000,
  });
  const { processorSeconds, clockSeconds } = readBenchmark(stderr);
  const output = await encoder.probe(join(directory, 'output.mp4'), { signal });
  return {
    cpu: processorSeconds / sample.seconds,
    busy: processorSeconds / clockSeconds / availableParallelism(),
    bitrateKbps: (output.sizeBytes * 8) / 1000 / sample.seconds,
  };
}

function sourceArguments({ clip, resolution: { width, height }, seconds }: Sample, path: string): string[] {
  const whole = `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height}`;
  const video = ['-c:v', 'libx264', '-preset', 'superfast', '-crf', '20', '-pix_fmt', 'yuv420p'];
  return [
    ...['-v', 'error', '-y', '-stream_loop', '-1', '-i', clip],
    ...['-vf', `${whole},fps=30,noise=alls=6:allf=t`, ...video, '-c:a', 'aac', '-t', String(seconds), path],
  ];
}

function readBenchmark(stderr: string): { processorSeconds: number; clockSeconds: number } {
  const [, user, system, clock] = /bench: utime=([\d.]+)s stime=([\d.]+)s rtime=([\d.]+)s/.exec(stderr) ?? [];
  if (clock === undefined) throw new Error('ffmpeg did not tell what it used.');
  return { processorSeconds: Number(user) + Number(system), clockSeconds: Number(clock) };
}
