import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeIfChanged } from './write-if-changed.ts';

/**
 * Gathers what the transcoder's image is built from, so that synth needs no Docker: the Dockerfile, the bundle, and
 * under `ffmpeg/` the files of the layer.
 */
export async function imageContext({ root, bundleFile, outDirectory }: ImageContextOptions): Promise<void> {
  const layer = path.join(root, 'layers/ffmpeg');
  const files = new Map([
    ['Dockerfile', path.join(root, 'functions/transcode/Dockerfile')],
    ['index.js', bundleFile],
    ...(await readdir(layer)).map((name) => [`ffmpeg/${name}`, path.join(layer, name)] as const),
  ]);
  await rm(path.join(outDirectory, 'ffmpeg'), { recursive: true, force: true });
  for (const [name, source] of files) {
    await writeIfChanged(path.join(outDirectory, name), await readFile(source));
  }
}

export type ImageContextOptions = {
  root: string;
  /** The transcoder's bundle. */
  bundleFile: string;
  outDirectory: string;
};
