import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GeneratedSource, generateSource } from '../bench/harness/model/generated-source.ts';

/** Where ffmpeg runs. */
export type Workspace = { ffmpeg: string; directory: string; print: (line: string) => void };

/** A generated video on the disk. */
export type SourceFile = GeneratedSource & {
  path: string;
  megapixels: number;
  frames: number;
  megabits: number;
  bitsPerPixel: number;
};

export async function makeFile(
  { ffmpeg, directory, print }: Workspace,
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
