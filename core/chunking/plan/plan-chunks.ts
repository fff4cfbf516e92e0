import { type Encoding, segmentSecondsOf } from '../../encoding/encoding.ts';
import type { Speed } from '../../jobs/speeds.ts';
import { frameSeconds } from '../frame-index/frame-index.ts';
import { type ChunkSettings, maxChunks } from '../settings.ts';
import type { Chunk } from './chunk.ts';
import { cutVideo } from './cut-video.ts';
import { estimateCpuSeconds } from './encode-cost.ts';
import { encodingSinglePassReason } from './encoding-rules.ts';
import { findIrregularSegmentStart } from './segment-starts.ts';
import { type ChunkingSource, sourceRules } from './source-rules.ts';

/** How a picture is encoded, and a sentence that says why so. */
export type ChunkingDecision =
  | { chunks?: never; reason: string }
  | { chunks: readonly Chunk[]; reason: string };

export type ChunkingPolicy = {
  settings: Pick<ChunkSettings, 'targetChunkSeconds' | 'maxSinglePassSeconds'>;
  speed: Speed;
  /** Processors that encode in one piece. */
  cpuCount: number;
};

// Where one chunk is more of the work than this, waiting for it is no better than one piece.
const largestShare = 0.75;

/** Why an encoding is done in one piece, as far as that shows before the source's packets are read; else nothing. */
export function singlePassReason(
  encoding: Encoding,
  { seconds, pictures }: { seconds: number; pictures: number },
  { settings, speed, cpuCount }: ChunkingPolicy,
): string | undefined {
  const against = encodingSinglePassReason(encoding);
  if (against !== undefined) return onePiece(against);
  const least = 2 * settings.targetChunkSeconds;
  if (seconds < least) return onePiece(`it lasts ${seconds.toFixed(1)} s, and chunks begin at ${least} s`);
  const expected = estimateCpuSeconds(pictures, encoding) / cpuCount;
  if (speed === 'fast' || expected > settings.maxSinglePassSeconds) return undefined;
  return onePiece(
    `that takes about ${Math.ceil(expected)} s, and up to ${settings.maxSinglePassSeconds} s is soon enough at standard speed`,
  );
}

/** Decides whether a picture is cut, and where. Never more than 200 chunks. */
export function planChunks(
  source: ChunkingSource,
  encoding: Encoding,
  wish: ChunkingPolicy,
): ChunkingDecision {
  const { index, probe } = source;
  for (const rule of Object.values(sourceRules)) {
    const reason = rule(source);
    if (reason !== undefined) return { reason: onePiece(reason) };
  }
  const pictures = index.pts.length;
  const seconds = frameSeconds(index, pictures - 1) - frameSeconds(index, 0);
  const reason = singlePassReason(encoding, { seconds, pictures }, wish);
  if (reason !== undefined) return { reason };
  const segmentSeconds = segmentSecondsOf(encoding);
  const uneven = segmentSeconds === undefined ? undefined : findIrregularSegmentStart(index, segmentSeconds);
  if (uneven !== undefined) {
    return { reason: onePiece(`its rate varies at ${uneven.toFixed(3)} s, where a segment begins`) };
  }
  const count = Math.min(maxChunks, Math.floor(seconds / wish.settings.targetChunkSeconds));
  const chunks = cutVideo(index, { maxChunks: count, container: probe.container, segmentSeconds });
  const largest = Math.max(...chunks.map(({ costShare }) => costShare));
  if (largest > largestShare) {
    const share = Math.round(largest * 100);
    return { reason: onePiece(`its keyframes are too few: ${share} % of the work would be in one chunk`) };
  }
  return { chunks, reason: inChunks(chunks, wish.speed) };
}

function onePiece(reason: string): string {
  return `Encoded in one piece: ${reason}`;
}

function inChunks(chunks: readonly Chunk[], speed: Speed): string {
  const lengths = chunks.map(({ durationSeconds }) => durationSeconds);
  const [least, most] = [Math.min(...lengths).toFixed(1), Math.max(...lengths).toFixed(1)];
  const why = speed === 'fast' ? 'the job asks for speed' : 'one piece would take too long';
  return `Encoded in ${chunks.length} chunks of ${least} to ${most} s side by side: ${why}`;
}
