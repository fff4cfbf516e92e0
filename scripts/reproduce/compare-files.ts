import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashFile } from '../../adapters/filesystem/hash-file.ts';
import type { Encoder } from '../../core/media/ffmpeg/ports.ts';
import { patience } from './run-commands.ts';

/** How a file that was made again differs from the file of the job. */
export type Comparison =
  | { result: 'same bytes'; bytes: number }
  | { result: 'same frames'; frames: number }
  | {
      result: 'different';
      /** Decoded frames of video and audio that are in one file only, or at another time. */
      differentFrames: number;
      frames: number;
      /** Structural similarity of the videos, up to 1; undefined without video, or for different sizes. */
      ssim?: number | undefined;
    }
  | { result: 'different bytes' };

/** Compares two files byte by byte, and if they differ frame by frame after decoding. */
export async function compareFiles(
  encoder: Encoder,
  { made, original }: { made: string; original: string },
): Promise<Comparison> {
  const { size: bytes } = await stat(made);
  if (bytes === (await stat(original)).size && (await hashFile(made)) === (await hashFile(original))) {
    return { result: 'same bytes', bytes };
  }
  const [ours, theirs] = [await hashFrames(encoder, made), await hashFrames(encoder, original)];
  if (ours === undefined || theirs === undefined) return { result: 'different bytes' };
  const frames = Math.max(ours.length, theirs.length);
  const common = new Set(theirs);
  const differentFrames = frames - ours.filter((frame) => common.has(frame)).length;
  if (differentFrames === 0) return { result: 'same frames', frames };
  return { result: 'different', differentFrames, frames, ssim: await measureSsim(encoder, made, original) };
}

/** One line for each decoded frame: stream, times, size and MD5. Undefined for a file that has no frames. */
async function hashFrames(encoder: Encoder, path: string): Promise<string[] | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-frames-'));
  const report = join(directory, 'frames.md5');
  const outputArguments = ['-map', '0:v?', '-map', '0:a?', '-f', 'framemd5', report];
  try {
    await run(encoder, { inputs: [{ path, isTrusted: true }], outputArguments });
    return (await readFile(report, 'utf8')).split('\n').filter((line) => /^\d/.test(line));
  } catch {
    return undefined;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureSsim(encoder: Encoder, made: string, original: string): Promise<number | undefined> {
  const inputs = [made, original].map((path) => ({ path, isTrusted: true }));
  const outputArguments = ['-filter_complex', '[0:v:0][1:v:0]ssim', '-f', 'null', '-'];
  const log = await run(encoder, { inputs, outputArguments }).then(
    (record) => record.log,
    () => '',
  );
  const all = /SSIM .*All:([\d.]+)/.exec(log)?.[1];
  return all === undefined ? undefined : Number(all);
}

function run(encoder: Encoder, command: Parameters<Encoder['run']>[0]) {
  return encoder.run(command, { directory: tmpdir(), signal: new AbortController().signal, ...patience });
}
