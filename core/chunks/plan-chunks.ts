import { type Encoding, segmentSecondsOf } from '../recipes/encoding.ts';
import type { Chunk } from './chunk.ts';
import { cutPicture } from './cut.ts';
import { processorSeconds } from './effort.ts';
import { onePieceFor } from './encoding-rules.ts';
import { shownAt } from './picture-index.ts';
import { unevenStart } from './segments.ts';
import { type ChunkSettings, mostChunks } from './settings.ts';
import { type Source, sourceRules } from './source-rules.ts';
import type { Speed } from './speeds.ts';

/** How a picture is encoded, and a sentence that says why so. */
export type Decision = { chunks?: never; reason: string } | { chunks: readonly Chunk[]; reason: string };

export type Wish = {
  settings: Pick<ChunkSettings, 'targetChunkSeconds' | 'longestSinglePassSeconds'>;
  speed: Speed;
  /** Processors that encode in one piece. */
  processors: number;
};

// Where one chunk is more of the work than this, waiting for it is no better than one piece.
const largestShare = 0.75;

/** Why an encoding is done in one piece, as far as that shows before the source's packets are read; else nothing. */
export function onePieceAnyway(
  encoding: Encoding,
  { seconds, pictures }: { seconds: number; pictures: number },
  { settings, speed, processors }: Wish,
): string | undefined {
  const against = onePieceFor(encoding);
  if (against !== undefined) return onePiece(against);
  const least = 2 * settings.targetChunkSeconds;
  if (seconds < least) return onePiece(`it lasts ${seconds.toFixed(1)} s, and chunks begin at ${least} s`);
  const expected = processorSeconds(pictures, encoding) / processors;
  if (speed === 'fast' || expected > settings.longestSinglePassSeconds) return undefined;
  return onePiece(
    `that takes about ${Math.ceil(expected)} s, and up to ${settings.longestSinglePassSeconds} s is soon enough at standard speed`,
  );
}

/** Decides whether a picture is cut, and where. Never more than 200 chunks. */
export function planChunks(source: Source, encoding: Encoding, wish: Wish): Decision {
  const { index, probe } = source;
  for (const rule of Object.values(sourceRules)) {
    const reason = rule(source);
    if (reason !== undefined) return { reason: onePiece(reason) };
  }
  const pictures = index.times.length;
  const seconds = shownAt(index, pictures - 1) - shownAt(index, 0);
  const reason = onePieceAnyway(encoding, { seconds, pictures }, wish);
  if (reason !== undefined) return { reason };
  const segmentSeconds = segmentSecondsOf(encoding);
  const uneven = segmentSeconds === undefined ? undefined : unevenStart(index, segmentSeconds);
  if (uneven !== undefined) {
    return { reason: onePiece(`its rate varies at ${uneven.toFixed(3)} s, where a segment begins`) };
  }
  const count = Math.min(mostChunks, Math.floor(seconds / wish.settings.targetChunkSeconds));
  const chunks = cutPicture(index, { count, container: probe.container, segmentSeconds });
  const largest = Math.max(...chunks.map(({ cost }) => cost));
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
  const lengths = chunks.map(({ seconds }) => seconds);
  const [least, most] = [Math.min(...lengths).toFixed(1), Math.max(...lengths).toFixed(1)];
  const why = speed === 'fast' ? 'the job asks for speed' : 'one piece would take too long';
  return `Encoded in ${chunks.length} chunks of ${least} to ${most} s side by side: ${why}`;
}
