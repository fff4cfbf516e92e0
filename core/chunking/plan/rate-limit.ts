import { type Encoding, isLadderEncoding } from '../../encoding/encoding.ts';
import { rateBuffer } from '../../media/codecs/rate-control.ts';
import type { Chunk } from './cut-video.ts';

type Chunks = readonly Pick<Chunk, 'durationSeconds'>[];

/** How full the encoder of a chunk assumes the buffer to be. */
const initialShare = 0.25;

/** The most by which chunks may lower a maximum bit rate. */
const maxLoss = 0.1;

/** Chunks of this length lower it by 2 %. */
export const minLimitedChunkSeconds = 20;

/** Whether the buffer of a decoder has to last over the whole video. The limit of a ladder applies to its segments. */
export function limitsRate(encoding: Encoding): boolean {
  return !isLadderEncoding(encoding) && 'crf' in encoding.quality && encoding.quality.maxKbps !== undefined;
}

/**
 * The encoding of each chunk, at a lower maximum bit rate and with a smaller buffer: so the buffer of the whole video never
 * runs empty, whatever the chunks before have left in it. The proof is in docs/decisions/chunks.md.
 */
export function limitChunks(encoding: Encoding, chunks: Chunks): Encoding {
  if (isLadderEncoding(encoding) || !('crf' in encoding.quality)) return encoding;
  const { crf, maxKbps } = encoding.quality;
  if (maxKbps === undefined) return encoding;
  const buffer = {
    kilobits: Math.floor(rateBuffer(maxKbps).kilobits / (1 + initialShare)),
    initialShare,
  };
  const kbps = Math.floor(maxKbps * (1 - rateLoss(chunks)));
  return { ...encoding, quality: { crf, maxKbps: kbps, buffer } };
}

/** Whether chunks are so short that they would lower the maximum bit rate too much. */
export function losesRate(encoding: Encoding, chunks: Chunks): boolean {
  return limitsRate(encoding) && rateLoss(chunks) > maxLoss;
}

/** The shortest chunk before a seam has to save as much as the next encoder assumes to be in the buffer. */
function rateLoss(chunks: Chunks): number {
  const savedSeconds = (initialShare * rateBuffer(1).kilobits) / (1 + initialShare);
  return Math.max(0, ...chunks.slice(0, -1).map(({ durationSeconds }) => savedSeconds / durationSeconds));
}
