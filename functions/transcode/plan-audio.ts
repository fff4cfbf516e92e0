import { wholeAudioSeconds } from '../../core/chunking/commands/audio-task.ts';
import type { ChunkedWork } from '../../core/chunking/plan/chunk-plan.ts';
import {
  type AudioChunk,
  audioChunkCount,
  type CutOptions,
  cutAudio,
} from '../../core/chunking/plan/cut-audio.ts';
import type { Chunk } from '../../core/chunking/plan/cut-video.ts';
import { hasWholeFrames, wholeAudioReason } from '../../core/chunking/plan/whole-audio-rules.ts';
import type { PacketReader, PacketReadOptions } from '../../core/chunking/ports.ts';
import { wallSeconds } from '../../core/cost-model/processors.ts';
import { selectAudio } from '../../core/encoding/audio/encode-audio.ts';
import type { Encoding } from '../../core/encoding/encoding.ts';
import type { MediaFile } from '../../core/encoding/plan.ts';
import type { RemoteMedia } from '../../core/media/ffmpeg/ports.ts';
import type { VideoFormat } from '../../core/media/formats.ts';
import { requireVideo } from '../../core/media/probe/streams.ts';
import { mapConcurrent } from '../worker/map-concurrent.ts';
import { remainingSeconds, type TranscodeDeps, type WorkerContext } from '../worker/worker-deps.ts';

/** A video whose frames are encoded in chunks. */
export type ChunkedVideo = AudioOfVideo & {
  chunks: readonly Chunk[];
  /** Expected processor seconds of all chunks in the codec that takes the most. */
  cpuSeconds: number;
  /** No rule is against it. */
  mayAssemble: boolean;
};

export type AudioOfVideo = {
  source: MediaFile;
  remote?: RemoteMedia | undefined;
  encoding: Encoding;
  format: VideoFormat;
};

export type PlannedAudio = Pick<ChunkedWork, 'audioChunks' | 'isAssembled'>;

/**
 * Cuts the audio of a video in chunks: where those of the video start, if the outputs may be assembled from them;
 * otherwise so that none takes longer than the longest of the video. One task has all of it if that is as fast, or if a
 * rule requires it.
 */
export async function planAudio(
  { packetReader, processors, clock }: Pick<TranscodeDeps, 'packetReader' | 'processors' | 'clock'>,
  { signal, deadline }: Pick<WorkerContext, 'signal' | 'deadline'>,
  video: ChunkedVideo,
): Promise<PlannedAudio> {
  const { source, encoding, chunks, mayAssemble } = video;
  const reading = { signal, timeLimitSeconds: remainingSeconds(clock, deadline) };
  const isSilent = selectAudio(source.probe, encoding).length === 0;
  if (isSilent) return mayAssemble ? { isAssembled: true } : {};
  const count = countChunks(video, processors);
  const seams = chunks.slice(1).map(({ startSeconds }) => startSeconds);
  const choices = [...(mayAssemble ? [seams] : []), ...(count < 2 ? [] : [count])];
  if (choices.length === 0) return {};
  const cut = await audioCutter(packetReader, video, reading);
  for (const cuts of choices) {
    const audioChunks = cut(cuts);
    if (audioChunks) return { audioChunks, ...(cuts === seams && { isAssembled: true }) };
  }
  return {};
}

/** Cuts the audio of a video, as `cutAudio` does. Undefined also if a rule requires one task. */
export async function audioCutter(
  packetReader: PacketReader,
  { source: { path, probe }, remote, encoding, format }: AudioOfVideo,
  reading: PacketReadOptions,
): Promise<(cuts: CutOptions['cuts']) => AudioChunk[] | undefined> {
  const tracks = await mapConcurrent(selectAudio(probe, encoding), 1, async (stream) => ({
    stream,
    timing: await packetReader.readAudioTiming(path, { stream: stream.index }, { ...reading, remote }),
  }));
  const layout = { ...encoding, format };
  if (wholeAudioReason({ encoding, layout, tracks }) !== undefined) return () => undefined;
  return (cuts) =>
    cutAudio(tracks.filter(hasWholeFrames), {
      layout,
      isPadded: encoding.audioPadding !== undefined,
      videoSeconds: requireVideo(probe).startSeconds,
      cuts,
    });
}

function countChunks(
  { source: { probe: source }, encoding, format, chunks, cpuSeconds }: ChunkedVideo,
  processors: TranscodeDeps['processors'],
): number {
  const chunkSeconds =
    wallSeconds(cpuSeconds, processors) * Math.max(...chunks.map(({ costShare }) => costShare));
  return audioChunkCount(wholeAudioSeconds({ source, encoding, format }, processors), chunkSeconds);
}
