import type { FrameIndex } from '../../core/chunking/frame-index/frame-index.ts';
import { timelineOriginSeconds } from '../../core/chunking/frame-index/timeline-origin.ts';
import { type ChunkingDecision, planChunks, singlePassReason } from '../../core/chunking/plan/plan-chunks.ts';
import { selectAudio } from '../../core/encoding/audio/encode-audio.ts';
import type { Encoding } from '../../core/encoding/encoding.ts';
import type { MediaFile } from '../../core/encoding/plan.ts';
import { endSecondsOf, requireVideo } from '../../core/media/probe/streams.ts';
import { remainingSeconds, type WorkerContext } from '../worker/worker-deps.ts';
import type { TranscodeDeps } from './transcode-deps.ts';

/** Where a source is cut, with the index by which it is; or why it is not. */
export type Cut =
  | { reason: string; chunks?: never }
  | (Extract<ChunkingDecision, { chunks: object }> & { index: FrameIndex });

/** Decides where a source is cut. Its packets are read only where a look at what was measured leaves it open. */
export async function cutSource(
  { packetReader, chunking, clock }: TranscodeDeps,
  { job, signal, deadline }: WorkerContext,
  { path, probe, encoding }: MediaFile & { encoding: Encoding },
): Promise<Cut> {
  const video = requireVideo(probe);
  const audio = selectAudio(probe, encoding);
  const wish = { ...chunking, speed: job.request.speed ?? 'standard' };
  const durationSeconds = endSecondsOf(probe, [video]);
  if (durationSeconds !== undefined) {
    // Unknown frame rate: assume a slow encode.
    const frames = durationSeconds * (video.framesPerSecond ?? Number.POSITIVE_INFINITY);
    const reason = singlePassReason(encoding, { durationSeconds, frames }, wish);
    if (reason !== undefined) return { reason };
  }
  const fileSeconds = timelineOriginSeconds(probe.container, audio ? [video, audio] : [video]);
  const timeLimitSeconds = remainingSeconds(clock, deadline);
  const from = { stream: video.index, fileSeconds };
  const index = await packetReader.readFrameIndex(path, from, { signal, timeLimitSeconds });
  const decision = planChunks({ probe, video, index }, encoding, wish);
  return decision.chunks === undefined ? { reason: decision.reason } : { ...decision, index };
}
