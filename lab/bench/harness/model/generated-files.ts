import { join } from 'node:path';
import type { MediaFile } from '@media-jobs/video/encoding';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { type GeneratedSource, generateSource } from './generated-source.ts';

/** Makes each source once, in a directory, and probes it. */
export function generatedFiles(
  ffmpeg: string,
  { encoder, directory }: { encoder: Encoder; directory: string },
): (source: GeneratedSource) => Promise<MediaFile> {
  const files = new Map<GeneratedSource, Promise<MediaFile>>();
  const make = async (source: GeneratedSource, number: number) => {
    const path = join(directory, `source-${number}.mkv`);
    await generateSource(ffmpeg, path, source);
    return { path, probe: await encoder.probe(path) };
  };
  return (source) => {
    const file = files.get(source) ?? make(source, files.size);
    files.set(source, file);
    return file;
  };
}
