import { isStream } from '../../encoding/encoding.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import { targetOf } from '../plan/rate-target.ts';

export type WorkToJoin = Pick<ChunkedWork, 'format' | 'encoding' | 'comparesWithSource'> & {
  /** A storage provider gets the outputs. */
  isForProvider: boolean;
  hasAudio: boolean;
};

/**
 * Whether S3 may assemble the outputs from the files of the chunks. ffmpeg joins all others on the disk of a function,
 * which moves their bytes twice.
 */
export function mayAssemble({
  format,
  encoding,
  comparesWithSource = false,
  isForProvider,
  hasAudio,
}: WorkToJoin): boolean {
  // Matroska has an index of its own in the data of each chunk. A stream has its audio in other files.
  if (isStream(encoding) || (format !== 'mp4' && format !== 'mov')) return false;
  // S3 copies nothing to the account of a provider. A comparison decodes the whole file anyway.
  if (isForProvider || comparesWithSource) return false;
  // Encoded several times until it has its bytes; in a file of a given size, the audio comes first.
  return !(hasAudio && targetOf(encoding) !== undefined);
}

export type StreamToJoin = Pick<ChunkedWork, 'encoding'> & {
  outputs: readonly Pick<ChunkedWork['outputs'][number], 'playlist'>[];
  /** A storage provider gets the outputs. */
  isForProvider: boolean;
};

/** Whether S3 may assemble the renditions of a stream from the fragments of the chunks. ffmpeg joins the audio. */
export function mayAssembleStream({ encoding, outputs, isForProvider }: StreamToJoin): boolean {
  // Encryption reads the finished files, and changes the bytes and sizes of their fragments.
  const isEncrypted = outputs.some(({ playlist }) => playlist?.encryption !== undefined);
  return isStream(encoding) && !isEncrypted && !isForProvider;
}
