import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import {
  defaultCrf,
  type EncoderSettings,
  presets,
  type VideoCodec,
  videoCodecArguments,
  videoCodecs,
} from '@media-jobs/video/media';
import { runMain } from '../lib/build/run-main.ts';

const usage = `Measures the resident memory of the encoders, for packages/video/src/encoding/encoder-memory.ts.

  node lab/encoder-memory.ts [CODEC...]

Encodes still frames, because the buffers do not depend on the content, at two sizes. Prints the megabytes of an encoder
at any size and the bytes for each pixel of its frames, by preset: as it is, and with fewer buffered frames.
`;

const run = promisify(execFile);
const { ffmpeg } = findFfmpeg(process.env);
const small = { width: 1280, height: 720 };
const large = { width: 3840, height: 2160 };
/** More than any preset looks ahead. */
const frames = 80;

type Size = typeof small;

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean' } },
  });
  const unknown = positionals.find((name) => !videoCodecs.some((codec) => codec === name));
  if (unknown !== undefined) throw new Error(`CODEC must be one of ${videoCodecs.join(', ')}, found ${unknown}.`);
  if (values.help) console.log(usage);
  else await measureAll(videoCodecs.filter((codec) => positionals.length === 0 || positionals.includes(codec)));
});

async function measureAll(codecs: readonly VideoCodec[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'encoder-memory-'));
  try {
    const sources = { small: await still(directory, small), large: await still(directory, large) };
    const decode = { small: await peakBytes(sources.small, []), large: await peakBytes(sources.large, []) };
    console.log(`${availableParallelism()} CPUs. Without an encoder: ${fitted(decode)}`);
    for (const codec of codecs) {
      for (const preset of presets) {
        const [usual, saving] = [false, true].map((savesMemory) => encoderOf(codec, { preset, savesMemory }));
        console.log(`${codec} ${preset}: ${await measure(usual)}`);
        if (String(saving) !== String(usual)) console.log(`  saving memory: ${await measure(saving)}`);
      }
    }
    async function measure(encoder: readonly string[] = []): Promise<string> {
      return fitted({
        small: (await peakBytes(sources.small, encoder)) - decode.small,
        large: (await peakBytes(sources.large, encoder)) - decode.large,
      });
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

function encoderOf(codec: VideoCodec, settings: EncoderSettings): string[] {
  return videoCodecArguments(codec, { ...settings, format: 'mkv', quality: { crf: defaultCrf[codec] } });
}

/** A straight line through both measurements. */
function fitted(bytes: { small: number; large: number }): string {
  const perPixel = (bytes.large - bytes.small) / (pixelsOf(large) - pixelsOf(small));
  const base = Math.max(0, bytes.small - perPixel * pixelsOf(small));
  return `${Math.ceil(base / 2 ** 20)} MB and ${Math.ceil(perPixel)} bytes per pixel`;
}

function pixelsOf({ width, height }: Size): number {
  return width * height;
}

async function still(directory: string, { width, height }: Size): Promise<string> {
  const path = join(directory, `${height}.mp4`);
  const source = ['-f', 'lavfi', '-i', `smptebars=size=${width}x${height}:rate=25`];
  const codec = ['-c:v', 'libx264', '-preset', 'superfast', '-pix_fmt', 'yuv420p'];
  await run(ffmpeg, ['-v', 'error', ...source, '-frames:v', String(frames + 10), ...codec, path]);
  return path;
}

/** The largest resident set of ffmpeg, which prints it at its end. */
async function peakBytes(path: string, encoder: readonly string[]): Promise<number> {
  const output = ['-frames:v', String(frames), '-f', 'null', '-'];
  const { stderr } = await run(ffmpeg, ['-benchmark', '-i', path, ...encoder, ...output]);
  const [, kibibytes] = /bench: maxrss=(\d+)KiB/.exec(stderr) ?? [];
  if (kibibytes === undefined) throw new Error('ffmpeg printed no line "bench: maxrss=…".');
  return Number(kibibytes) * 1024;
}
