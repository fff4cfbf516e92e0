import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ffmpegEncoder } from '../adapters/ffmpeg/encoder.ts';
import { readNumber } from '../lib/build/read-number.ts';
import { runMain } from '../lib/build/run-main.ts';
import { findFfmpeg } from '../local/find-ffmpeg.ts';
import { measureCompress } from './cost/measure-compress.ts';
import { resolutions } from './cost/measured.ts';

const usage = `Measures the CPU time to compress one second of media at each resolution, for scripts/cost/measured.ts.

  node scripts/cost-measure.ts --clip FILE [--seconds 10]

  --clip FILE  a video or image; it is scaled to each resolution, with noise like a camera's
`;

async function measure(clip: string, seconds: number): Promise<void> {
  const programs = findFfmpeg(process.env);
  const encoder = ffmpegEncoder({ ffmpegPath: programs.ffmpeg, ffprobePath: programs.ffprobe });
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-cost-'));
  console.log(`${await encoder.version()}, ${cpus().length} x ${cpus()[0]?.model}`);
  try {
    for (const [name, resolution] of Object.entries(resolutions)) {
      const tools = { encoder, ffmpegPath: programs.ffmpeg, directory };
      const { cpu, busy, bitrateKbps } = await measureCompress(tools, { clip, resolution, seconds });
      console.log(
        `${name.padEnd(6)} ${cpu.toFixed(3)} CPU seconds per second, ` +
          `${Math.round(busy * 100)} % of all CPUs used, ${Math.round(bitrateKbps)} kbit/s`,
      );
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

await runMain(async () => {
  const { values } = parseArgs({
    options: { clip: { type: 'string' }, seconds: { type: 'string', default: '10' } },
  });
  if (values.clip === undefined) throw new Error(`--clip is missing.\n\n${usage}`);
  await measure(values.clip, readNumber('--seconds', values.seconds));
});
