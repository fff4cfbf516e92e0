import {
  type AudioChunk,
  type AudioCutOptions,
  type AudioTiming,
  audioChunkCount,
  type Chunk,
  type ChunkedClip,
  type ChunkedWork,
  type CutTrack,
  cutAudio,
  hasWholeFrames,
  outputTracks,
  type PacketReader,
  type PacketReadOptions,
  wholeAudioReason,
  wholeAudioSeconds,
} from '@media-jobs/video/chunking';
import { wallSeconds } from '@media-jobs/video/cost-model';
import { type Encoding, type MediaFile, selectAudio } from '@media-jobs/video/encoding';
import type { RemoteMedia } from '@media-jobs/video/ffmpeg';
import type { VideoFormat } from '@media-jobs/video/media';
import { type AudioStream, type Probe, requireVideo } from '@media-jobs/video/probe';
import { mapConcurrent } from '../../core/async.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { remainingSeconds, type WorkerContext } from '../../core/worker/worker-context.ts';

/** A video whose frames are encoded in chunks. */
export type ChunkedVideo = AudioOfVideo & {
  chunks: readonly Chunk[];
  /** Expected processor seconds of all chunks in the codec that takes the most. */
  cpuSeconds: number;
  /** Whether no rule is against an assembled output. */
  mayAssemble: boolean;
};

export type AudioOfVideo = {
  /** Several if they follow one another. */
  sources: readonly MediaFile[];
  remote?: RemoteMedia | undefined;
  encoding: Encoding;
  format: VideoFormat;
  /** Set if there are several sources. */
  clips?: readonly ChunkedClip[] | undefined;
};

/**
 * Cuts the audio of a video in chunks: where those of the video start, if the outputs may be assembled from them;
 * otherwise so that none takes longer than the longest of the video. One task has all of it if that is as fast, or if a
 * rule requires it.
 */
export async function planAudio(
  { packets, processors, clock }: JobPorts,
  { signal, deadline }: WorkerContext,
  video: ChunkedVideo,
): Promise<Pick<ChunkedWork, 'audioChunks' | 'isAssembled'>> {
  const { chunks, mayAssemble } = video;
  const reading = { signal, timeLimitSeconds: remainingSeconds(clock, deadline) };
  const isSilent = outputTracks(withProbe(video)).length === 0;
  if (isSilent) return mayAssemble ? { isAssembled: true } : {};
  const count = countChunks(video, processors);
  const seams = chunks.slice(1).map(({ startSeconds }) => startSeconds);
  const choices = [...(mayAssemble ? [seams] : []), ...(count < 2 ? [] : [count])];
  if (choices.length === 0) return {};
  const cut = await audioCutter(packets, video, reading);
  for (const cuts of choices) {
    const audioChunks = cut(cuts);
    if (audioChunks) return { audioChunks, ...(cuts === seams && { isAssembled: true }) };
  }
  return {};
}

/** Cuts the audio of a video, as `cutAudio` does. Undefined also if a rule requires one task. */
export async function audioCutter(
  packets: PacketReader,
  video: AudioOfVideo,
  reading: PacketReadOptions,
): Promise<(cuts: AudioCutOptions['cuts']) => AudioChunk[] | undefined> {
  const { sources, remote, encoding, format, clips } = video;
  const selected = sources.flatMap(({ path, probe }, number) =>
    selectAudio(probe, clips?.[number]?.encoding ?? encoding).map((stream) => ({ path, stream })),
  );
  const tracks = await mapConcurrent(selected, 1, async ({ path, stream }) => {
    const read = (index: number) => packets.readAudioTiming(path, { stream: index }, { ...reading, remote });
    const timing = await read(stream.index);
    const others = await mapConcurrent(stream.joinedIndexes ?? [], 1, read);
    return { stream, timing: others.every((other) => isSame(timing, other)) ? timing : undefined };
  });
  const layout = { ...encoding, format };
  if (wholeAudioReason({ encoding, layout, tracks }) !== undefined) return () => undefined;
  const whole = tracks.filter(hasWholeFrames);
  const { source } = withProbe(video);
  return (cuts) =>
    cutAudio(clips ? joinedTracks(outputTracks(withProbe(video))) : whole, {
      layout,
      isPadded: encoding.audioPadding !== undefined,
      videoSeconds: requireVideo(source).startSeconds,
      cuts,
    });
}

function isSame(left: AudioTiming | undefined, right: AudioTiming | undefined): boolean {
  return left?.frameSeconds === right?.frameSeconds && left?.totalSeconds === right?.totalSeconds;
}

/** The audio of clips by its samples in the output, which has no gaps. */
function joinedTracks(tracks: readonly AudioStream[]): CutTrack[] {
  return tracks.map((stream) => ({
    stream,
    timing: { frameSeconds: 1 / stream.sampleRateHz, totalSeconds: stream.durationSeconds ?? 0 },
  }));
}

function withProbe<Video extends AudioOfVideo>(video: Video): Video & { source: Probe } {
  const [first] = video.sources;
  if (first === undefined) throw new TypeError('Expected at least one source');
  return { ...video, source: first.probe };
}

function countChunks(video: ChunkedVideo, processors: JobPorts['processors']): number {
  const { chunks, cpuSeconds } = video;
  const chunkSeconds = wallSeconds(cpuSeconds, processors) * Math.max(...chunks.map(({ costShare }) => costShare));
  return audioChunkCount(wholeAudioSeconds(withProbe(video), processors), chunkSeconds);
}
