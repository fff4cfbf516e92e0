import { type Encoding, isLadderEncoding, rateLimitOf, targetOf } from '../../encoding/encoding.ts';
import { type RateLimit, rateBuffer, type TargetBitrate } from '../../media/codecs/encoder-arguments.ts';
import { maxBitrateKbps } from '../../media/codecs/video-codecs.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { ChunkResult } from './chunk-result.ts';
import type { Chunk } from './cut-video.ts';

/** A fast encode at constant quality: its bits are in the proportion in which a single pass would spend them. */
export function measuringEncoding(encoding: Encoding): Encoding {
  if (isLadderEncoding(encoding)) throw new TypeError('A ladder has no target bit rate');
  const { profile: _, ...rest } = encoding;
  return { ...rest, codec: 'h264', preset: 'superfast', quality: { crf: 23 } };
}

/** The results of the tasks that end before the first video chunk is encoded. */
export type FirstResults = readonly Pick<ChunkResult, 'audio' | 'measuredBytes'>[];

type AllottedWork = { format: VideoFormat; encoding: Encoding; chunks: readonly Chunk[] };

/** Encoders need about this much for a frame without detail. */
const minFrameBytes = 60;

/** Upper bound of that minimum, as a share of the mean: for low bit rates. */
const minMeanShare = 0.25;

export type ChunkTarget = {
  /** Of all its frames. */
  bytes: number;
  /** Equal for all chunks: it is in the headers of the decoder configuration, of which the joined file has one. */
  limit: RateLimit;
};

/** The target of one of the chunks of a work, by the results of the tasks that run first. */
export function targetOfChunk(work: AllottedWork, chunk: Chunk, results: FirstResults): ChunkTarget {
  const allotted = allotBytes(work, results);
  const limit = rateLimitOf(work.encoding);
  const rates = work.chunks.map((each, number) => rateOfBytes(allotted[number] ?? 0, each));
  return {
    bytes: allotted[work.chunks.indexOf(chunk)] ?? 0,
    limit: limit ? limitOfChunks(limit, work.chunks) : looseLimit(Math.max(...rates)),
  };
}

/** A limit that the hardest chunk stays below, for a file of a given size, which has no limit in a single pass. */
function looseLimit(kbps: number): RateLimit {
  return { maxKbps: 2 * kbps, buffer: rateBuffer(2 * kbps) };
}

/** Bytes of the frames of each chunk: together as many as the target allows, and in proportion to what was measured. */
export function allotBytes({ format, encoding, chunks }: AllottedWork, results: FirstResults): number[] {
  const target = targetOf(encoding);
  if (target === undefined) throw new TypeError('The encoding has no target bit rate');
  const measured = results.flatMap(({ measuredBytes }) => measuredBytes ?? []);
  if (measured.length !== chunks.length)
    throw new TypeError(`${measured.length} of ${chunks.length} chunks are measured`);
  const frames = chunks.reduce((sum, chunk) => sum + chunk.frames, 0);
  const totalBytes = totalBytesOf(target, { format, chunks }, { frames, results });
  const limit = rateLimitOf(encoding);
  const maxKbps = Math.min(
    maxBitrateKbps[encoding.codec],
    limit ? limitOfChunks(limit, chunks).maxKbps : Number.POSITIVE_INFINITY,
  );
  const floor = Math.min(minFrameBytes, (minMeanShare * totalBytes) / frames);
  return share(
    totalBytes,
    chunks.map((chunk, number) => ({
      weight: Math.max(1, measured[number] ?? 0),
      minBytes: chunk.frames * floor,
      maxBytes: bytesOf(maxKbps, chunk.durationSeconds),
    })),
  );
}

/** The bit rate of a chunk that has so many bytes, in kbit/s. */
export function rateOfBytes(bytes: number, { durationSeconds }: Pick<Chunk, 'durationSeconds'>): number {
  return Math.max(1, Math.round((bytes * 8) / 1000 / durationSeconds));
}

function bytesOf(kbps: number, seconds: number): number {
  return (kbps * 1000 * seconds) / 8;
}

/** What the frames may take together: of a file of a given size, what its audio and its container leave. */
function totalBytesOf(
  { bitrateKbps, fileBytes }: TargetBitrate,
  { format, chunks }: Pick<AllottedWork, 'format' | 'chunks'>,
  { frames, results }: { frames: number; results: FirstResults },
): number {
  const seconds = chunks.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  if (fileBytes === undefined) return bytesOf(bitrateKbps, seconds);
  const audio = results.flatMap((result) => result.audio ?? []);
  const packets = audio.reduce((sum, each) => sum + each.packets, 0);
  const audioBytes = audio.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return fileBytes - audioBytes - containerBytes(format, { frames, packets, seconds });
}

/** At most what the container takes: sample tables of MP4, or headers of blocks and clusters of Matroska. */
function containerBytes(
  format: VideoFormat,
  { frames, packets, seconds }: { frames: number; packets: number; seconds: number },
): number {
  const [frameBytes, packetBytes] = format === 'mp4' || format === 'mov' ? [14, 5] : [9, 8];
  return frameBytes * frames + packetBytes * packets + 40 * seconds + 4000;
}

type Claim = { weight: number; minBytes: number; maxBytes: number };

/** Shares bytes by weight. What is outside of the bounds of one is shared by the others. */
function share(bytes: number, claims: readonly Claim[]): number[] {
  // The sum grows with the factor: halve the interval in which it is the whole.
  const at = (factor: number) =>
    claims.map(({ weight, minBytes, maxBytes }) => Math.min(maxBytes, Math.max(minBytes, factor * weight)));
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
  let [low, high] = [0, bytes];
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2;
    if (sum(at(middle)) > bytes) high = middle;
    else low = middle;
  }
  return at(low);
}

type Chunks = readonly Pick<Chunk, 'durationSeconds'>[];

/** How full the encoder of a chunk assumes the buffer to be. */
const initialShare = 0.25;

/** The most by which chunks may lower a maximum bit rate. */
const maxLoss = 0.1;

/**
 * The limit of each chunk: a lower maximum and a smaller buffer. So the buffer of the whole video never runs empty, whatever
 * the chunks before have left in it. The proof is in DECISION.md of this folder.
 */
function limitOfChunks(limit: RateLimit, chunks: Chunks): RateLimit {
  const kilobits = Math.floor(limit.buffer.kilobits / (1 + initialShare));
  return { maxKbps: Math.floor(limit.maxKbps - lossKbps(limit, chunks)), buffer: { kilobits, initialShare } };
}

export function limitChunks(encoding: Encoding, chunks: Chunks): Encoding {
  const limit = rateLimitOf(encoding);
  if (limit === undefined || isLadderEncoding(encoding)) return encoding;
  return { ...encoding, quality: { ...encoding.quality, ...limitOfChunks(limit, chunks) } };
}

export function losesRate(encoding: Encoding, chunks: Chunks): boolean {
  const limit = rateLimitOf(encoding);
  return limit !== undefined && lossKbps(limit, chunks) > maxLoss * limit.maxKbps;
}

/** The shortest chunk before a seam has to save as much as the next encoder assumes to be in the buffer. */
function lossKbps({ buffer: { kilobits } }: RateLimit, chunks: Chunks): number {
  const savedKilobits = (initialShare * kilobits) / (1 + initialShare);
  return Math.max(0, ...chunks.slice(0, -1).map(({ durationSeconds }) => savedKilobits / durationSeconds));
}
