import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ffmpegEncoder } from '../../adapters/ffmpeg/encoder.ts';
import { ffmpegArguments } from '../../core/media/ffmpeg-arguments.ts';
import { planRecipe, recipeRequestSchema } from '../../core/recipes/registry.ts';
import { findFfmpeg } from '../../local/ffmpeg.ts';
import { type Resolution, resolutions } from './resolutions.ts';

/**
 * Measures what one second of media costs to compress at each resolution, in seconds of one processor:
 * `node scripts/cost/measure.ts --clip FILE [--ffmpeg PATH --ffprobe PATH]`. Time of the processor and not of the
 * clock, so that a busy machine changes little. The clip is scaled to each resolution with some grain over it, which
 * the encoder has to work for as for a camera's.
 */
const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    clip: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    ffmpeg: { type: 'string' },
    ffprobe: { type: 'string' },
  },
});

const programs = { ffmpegPath: values.ffmpeg ?? '', ffprobePath: values.ffprobe ?? '' };
if (values.ffmpeg === undefined) {
  const found = findFfmpeg(process.env);
  Object.assign(programs, { ffmpegPath: found.ffmpeg, ffprobePath: found.ffprobe });
}
const encoder = ffmpegEncoder(programs);
const bounds = { maxPixels: 100_000_000, maxAllocationBytes: 2 ** 31, cpuSeconds: 3600 };
const directory = await mkdtemp(join(tmpdir(), 'media-jobs-cost-'));

async function source(clip: string, { width, height }: Resolution): Promise<string> {
  const path = join(directory, 'input.mp4');
  const picture = `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height},fps=30,noise=alls=6:allf=t`;
  const video = ['-c:v', 'libx264', '-preset', 'superfast', '-crf', '20', '-pix_fmt', 'yuv420p'];
  const length = ['-stream_loop', '-1', '-t', values.seconds];
  await run(programs.ffmpegPath, [
    ...[
      '-v',
      'error',
      '-y',
      ...length,
      '-i',
      clip,
      '-vf',
      picture,
      ...video,
      '-c:a',
      'aac',
      '-t',
      values.seconds,
    ],
    path,
  ]);
  return path;
}

/** Seconds of one processor per second of media, and how much smaller the file became. */
async function measure(inputPath: string): Promise<{ cpu: number; bitrateKbps: number }> {
  const signal = AbortSignal.timeout(600_000);
  const probe = await encoder.probe(inputPath, { signal });
  const plan = planRecipe(recipeRequestSchema.parse({ name: 'compress', crf: 28 }), {
    probe,
    format: 'mp4',
    inputPath,
    outputDirectory: directory,
  });
  const [command] = plan.commands;
  if (command === undefined) throw new Error('The recipe has no command.');
  const { stderr } = await run(programs.ffmpegPath, ['-benchmark', ...ffmpegArguments(command, bounds)], {
    cwd: directory,
    maxBuffer: 64_000_000,
  });
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  const output = await encoder.probe(join(directory, 'output.mp4'), { signal });
  const seconds = probe.durationSeconds ?? Number.NaN;
  return {
    cpu: (Number(user) + Number(system)) / seconds,
    bitrateKbps: (output.sizeBytes * 8) / 1000 / seconds,
  };
}

try {
  if (values.clip === undefined) throw new Error('Name a clip to measure with: --clip FILE');
  console.log(`${await encoder.version()}, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}`);
  for (const [name, resolution] of Object.entries(resolutions)) {
    const { cpu, bitrateKbps } = await measure(await source(values.clip, resolution));
    console.log(
      `${name.padEnd(6)} ${cpu.toFixed(3)} processor seconds per second, ${Math.round(bitrateKbps)} kbit/s`,
    );
  }
} finally {
  await rm(directory, { recursive: true });
}
