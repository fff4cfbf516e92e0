import type { AudioStream, Probe, Stream, SubtitleStream, VideoStream } from '../../../src/media/probe/probe.ts';

/** A progressive H.264 stream of 320x180, 2 s at 25 fps. */
export function aVideoStream(differences: Partial<VideoStream> = {}): VideoStream {
  return {
    kind: 'video',
    index: 0,
    codec: 'h264',
    isDefault: true,
    startSeconds: 0,
    durationSeconds: 2,
    width: 320,
    height: 180,
    rotation: 0,
    pixelAspect: 1,
    framesPerSecond: 25,
    pixelFormat: 'yuv420p',
    bitDepth: 8,
    isInterlaced: false,
    isAttachedPicture: false,
    ...differences,
  };
}

/** A stereo AAC track of 2 s. */
export function anAudioStream(differences: Partial<AudioStream> = {}): AudioStream {
  return {
    kind: 'audio',
    index: 1,
    codec: 'aac',
    isDefault: true,
    startSeconds: 0,
    durationSeconds: 2,
    channels: 2,
    sampleRateHz: 48_000,
    ...differences,
  };
}

/** A subtitle track of SRT in English. */
export function aSubtitleStream(differences: Partial<SubtitleStream> = {}): SubtitleStream {
  return {
    kind: 'subtitle',
    index: 2,
    codec: 'subrip',
    isDefault: false,
    language: 'eng',
    startSeconds: 0,
    isForced: false,
    ...differences,
  };
}

/** An MP4 of 2 s, by default with one video and one audio stream. */
export function aProbe(
  streams: Stream[] = [aVideoStream(), anAudioStream()],
  differences: Partial<Omit<Probe, 'streams'>> = {},
): Probe {
  return { container: 'mov,mp4,m4a,3gp,3g2,mj2', sizeBytes: 100_000, durationSeconds: 2, ...differences, streams };
}

/** A still PNG. */
export function anImageProbe(): Probe {
  const { durationSeconds: _, framesPerSecond: __, ...image } = aVideoStream({ codec: 'png' });
  const { durationSeconds: ___, ...probe } = aProbe([image], { container: 'png_pipe' });
  return probe;
}
