import { wholeAudioSeconds } from '../../core/chunking/commands/audio-task.ts';
import { type AudioChunk, audioChunkCount, cutAudio } from '../../core/chunking/plan/cut-audio.ts';
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
  /** Expected processor seconds of the whole encoding. */
  cpuSeconds: number;
};

export type AudioOfVideo = {
  source: MediaFile;
  remote?: RemoteMedia | undefined;
  encoding: Encoding;
  format: VideoFormat;
};

/**
 * Cuts the audio of a video in chunks, none of which takes longer than the longest of the video. Undefined if one task is as
 * fast, or if a rule requires it.
 */
export async function planAudio(
  { packetReader, processors, clock }: Pick<TranscodeDeps, 'packetReader' | 'processors' | 'clock'>,
  { signal, deadline }: Pick<WorkerContext, 'signal' | 'deadline'>,
  video: ChunkedVideo,
): Promise<AudioChunk[] | undefined> {
  const count = countChunks(video, processors);
  if (count < 2) return undefined;
  const timeLimitSeconds = remainingSeconds(clock, deadline);
  return cutAudioOf(packetReader, video, { count, reading: { signal, timeLimitSeconds } });
}

/** Cuts the audio of a video into so many chunks. Undefined if a rule requires one task. */
export async function cutAudioOf(
  packetReader: PacketReader,
  { source: { path, probe }, remote, encoding, format }: AudioOfVideo,
  { count, reading }: { count: number; reading: PacketReadOptions },
): Promise<AudioChunk[] | undefined> {
  const tracks = await mapConcurrent(selectAudio(probe, encoding), 1, async (stream) => ({
    stream,
    timing: await packetReader.readAudioTiming(path, { stream: stream.index }, { ...reading, remote }),
  }));
  const layout = { ...encoding, format };
  if (wholeAudioReason({ encoding, layout, tracks }) !== undefined) return undefined;
  return cutAudio(tracks.filter(hasWholeFrames), {
    layout,
    isPadded: encoding.audioPadding !== undefined,
    videoSeconds: requireVideo(probe).startSeconds,
    count,
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
