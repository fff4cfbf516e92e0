import { JobError } from '../errors.ts';
import type { AudioStream, Probe, VideoStream } from './probe.ts';

/** The picture a recipe works on: the first video stream that is not a cover image. */
export function mainVideo(probe: Probe): VideoStream | undefined {
  return probe.streams.find((s): s is VideoStream => s.kind === 'video' && !s.isAttachedPicture);
}

/** The sound a recipe works on: the track marked as default, else the first. */
export function mainAudio(probe: Probe): AudioStream | undefined {
  const tracks = probe.streams.filter((s): s is AudioStream => s.kind === 'audio');
  return tracks.find((track) => track.isDefault) ?? tracks[0];
}

/** A picture, moving or still; refuses an input that has none. */
export function requirePicture(probe: Probe): VideoStream {
  const video = mainVideo(probe);
  if (video) return video;
  throw new JobError('INPUT_UNSUPPORTED', 'This recipe needs a picture, and the input has no video stream', {
    retryable: false,
  });
}

/** A moving picture and how long it lasts; refuses sound without picture and still images. */
export function requireMovingPicture(probe: Probe): { video: VideoStream; durationSeconds: number } {
  const video = requirePicture(probe);
  const durationSeconds = probe.durationSeconds;
  if (durationSeconds !== undefined) return { video, durationSeconds };
  throw new JobError('INPUT_UNSUPPORTED', 'This recipe needs a video, and the input is a still image', {
    retryable: false,
  });
}

/** The sound of the input; refuses one that is silent by having no audio stream. */
export function requireAudio(probe: Probe): AudioStream {
  const audio = mainAudio(probe);
  if (audio) return audio;
  throw new JobError('INPUT_UNSUPPORTED', 'This recipe needs sound, and the input has no audio stream', {
    retryable: false,
  });
}
