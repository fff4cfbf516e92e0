import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeIfChanged } from './write-if-changed.ts';

/**
 * Gathers what the workers' image is built from, so that synth needs no Docker: the Dockerfile, the bundles, and under
 * `ffmpeg/` the files of the layer.
 */
export async function imageContext({ root, bundles, outDirectory }: ImageContextOptions): Promise<void> {
  const layer = path.join(root, 'layers/ffmpeg');
  const files = new Map([
    ['Dockerfile', path.join(root, 'functions/transcode/Dockerfile')],
    ...Object.entries(bundles),
    ...(await readdir(layer)).map((name) => [`ffmpeg/${name}`, path.join(layer, name)] as const),
  ]);
  await rm(path.join(outDirectory, 'ffmpeg'), { recursive: true, force: true });
  for (const [name, source] of files) {
    await writeIfChanged(path.join(outDirectory, name), await readFile(source));
  }
}

export type ImageContextOptions = {
  root: string;
  /** The bundle of each worker, by the name of its file in the image. */
  bundles: Readonly<Record<string, string>>;
  outDirectory: string;
};
