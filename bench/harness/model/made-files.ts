import { join } from 'node:path';
import type { MediaFile } from '../../../core/encoding/plan.ts';
import type { Encoder } from '../../../core/media/ffmpeg/ports.ts';
import { type MadeSource, makeSource } from './made-source.ts';

/** Makes each source once, in a directory, and probes it. */
export function madeFiles(
  ffmpeg: string,
  { encoder, directory }: { encoder: Encoder; directory: string },
): (source: MadeSource) => Promise<MediaFile> {
  const files = new Map<MadeSource, Promise<MediaFile>>();
  const make = async (source: MadeSource, number: number) => {
    const path = join(directory, `source-${number}.mkv`);
    await makeSource(ffmpeg, path, source);
    return { path, probe: await encoder.probe(path) };
  };
  return (source) => {
    const file = files.get(source) ?? make(source, files.size);
    files.set(source, file);
    return file;
  };
}
