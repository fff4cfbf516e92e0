import type { JoinedVideo } from '../../core/chunking/commands/join-commands.ts';
import { decodeFrameTimes } from '../../core/chunking/frame-index/stored-frame-times.ts';
import type { ChunkedWork } from '../../core/chunking/plan/chunk-plan.ts';
import type { PacketReader, PacketReadOptions } from '../../core/chunking/ports.ts';
import { findJoinDefect } from '../../core/chunking/verify/verify-join.ts';
import { segmentSecondsOf } from '../../core/encoding/encoding.ts';
import { JoinMismatchError } from './join-mismatch.ts';
import type { EncodedChunk } from './load-chunk-results.ts';

type Joined = { work: ChunkedWork; parts: readonly EncodedChunk[]; pictures: readonly JoinedVideo[] };

/**
 * Compares joined files with what was planned.
 * @throws JoinMismatchError where one is not what one pass would have made
 */
export async function verifyJoin(
  packets: PacketReader,
  { work, parts, pictures }: Joined,
  reading: PacketReadOptions,
): Promise<void> {
  const segmentSeconds = segmentSecondsOf(work.encoding);
  const encoded = parts[work.chunks.length]?.result.audio;
  const source = decodeFrameTimes(work.frameTimes);
  for (const [size, { name, path, audioPath }] of pictures.entries()) {
    const flaw = findJoinDefect({
      chunks: work.chunks.map((chunk, index) => ({ chunk, found: foundOf(parts[index], size) })),
      source,
      segmentSeconds,
      joined: await packets.readFrameIndex(path, { stream: 0, fileSeconds: 0 }, reading),
      ...(encoded &&
        audioPath && { audio: { encoded, joined: await packets.readAudioRange(audioPath, reading) } }),
    });
    if (flaw !== undefined) throw new JoinMismatchError(pictures.length === 1 ? flaw : `${name}: ${flaw}`);
  }
}

function foundOf(part: EncodedChunk | undefined, size: number) {
  const found = part?.result.renditions?.[size];
  if (found === undefined) throw new TypeError('A chunk has no part');
  return found;
}
