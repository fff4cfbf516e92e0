import type { PictureIndex } from './picture-index.ts';
import type { SoundSpan } from './sound-span.ts';

export type ReadOptions = {
  signal: AbortSignal;
  /** Wall seconds that reading the file may take. */
  timeLimitSeconds: number;
  /** With `output` a file of ours is read, and one that cannot be read is a `TRANSCODE_ERROR`. */
  of?: 'input' | 'output';
};

export type PicturesFrom = {
  /** Its number in the file. */
  stream: number;
  /** What `beginningOf` says. */
  fileSeconds: number;
};

/** Reads the packets of a file without decoding them. Throws `JobError` where the file cannot be read. */
export type PacketReader = {
  /** Of one video stream. Times count from `fileSeconds` after the first moment of the file. */
  pictures(path: string, from: PicturesFrom, options: ReadOptions): Promise<PictureIndex>;
  /** Of the first sound track. */
  sound(path: string, options: ReadOptions): Promise<SoundSpan>;
};
