import { type Encoding, isLadderEncoding } from '../../encoding/encoding.ts';
import { limitOfTarget, type RateBuffer, rateBuffer } from '../../media/codecs/rate-control.ts';
import type { Chunk } from './cut-video.ts';

type Chunks = readonly Pick<Chunk, 'durationSeconds'>[];

/** A maximum bit rate, and the buffer of a decoder in which it is kept. */
export type RateLimit = { maxKbps: number; buffer: RateBuffer };

/** How full the encoder of a chunk assumes the buffer to be. */
const initialShare = 0.25;

/** The most by which chunks may lower a maximum bit rate. */
const maxLoss = 0.1;

/** Chunks of this length lower it by 2 %. */
export const minLimitedChunkSeconds = 20;

/**
 * The limit over the whole video; undefined if there is none. That of a ladder applies to its segments, and a file of a
 * given size has none.
 */
export function rateLimitOf(encoding: Encoding): RateLimit | undefined {
  if (isLadderEncoding(encoding)) return undefined;
  const { quality } = encoding;
  if ('bitrateKbps' in quality) return quality.fileBytes === undefined ? limitOfTarget(quality) : undefined;
  const { maxKbps } = quality;
  return maxKbps === undefined ? undefined : { maxKbps, buffer: rateBuffer(maxKbps) };
}

/**
 * The limit of each chunk: a lower maximum and a smaller buffer. So the buffer of the whole video never runs empty, whatever
 * the chunks before have left in it. The proof is in DECISION.md of this folder.
 */
export function limitOfChunks(limit: RateLimit, chunks: Chunks): RateLimit {
  const kilobits = Math.floor(limit.buffer.kilobits / (1 + initialShare));
  return {
    maxKbps: Math.floor(limit.maxKbps - lossKbps(limit, chunks)),
    buffer: { kilobits, initialShare },
  };
}

/** The encoding of each chunk. */
export function limitChunks(encoding: Encoding, chunks: Chunks): Encoding {
  const limit = rateLimitOf(encoding);
  if (limit === undefined || isLadderEncoding(encoding)) return encoding;
  return { ...encoding, quality: { ...encoding.quality, ...limitOfChunks(limit, chunks) } };
}

/** Whether chunks are so short that they would lower the maximum bit rate too much. */
export function losesRate(encoding: Encoding, chunks: Chunks): boolean {
  const limit = rateLimitOf(encoding);
  return limit !== undefined && lossKbps(limit, chunks) > maxLoss * limit.maxKbps;
}

/** The shortest chunk before a seam has to save as much as the next encoder assumes to be in the buffer. */
function lossKbps({ buffer: { kilobits } }: RateLimit, chunks: Chunks): number {
  const savedKilobits = (initialShare * kilobits) / (1 + initialShare);
  return Math.max(0, ...chunks.slice(0, -1).map(({ durationSeconds }) => savedKilobits / durationSeconds));
}
