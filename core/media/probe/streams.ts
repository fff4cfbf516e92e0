import { JobError } from '../../errors.ts';
import type { AudioStream, Probe, Stream, VideoStream } from './probe.ts';

/** The picture a recipe works on: the first video stream that is not a cover image. */
export function mainVideo(probe: Probe): VideoStream | undefined {
  const pictures = probe.streams.filter((s): s is VideoStream => s.kind === 'video' && !s.isAttachedPicture);
  return pictures.find(isKnown) ?? pictures[0];
}

/** The sound a recipe works on: the track marked as default, else the first. */
export function mainAudio(probe: Probe): AudioStream | undefined {
  const tracks = probe.streams.filter((s): s is AudioStream => s.kind === 'audio');
  const known = tracks.filter(isKnown);
  return known.find((track) => track.isDefault) ?? known[0] ?? tracks[0];
}

/** Beside what all can decode, phones and broadcasts have tracks for those who can more. */
function isKnown({ codec }: Stream): boolean {
  return codec !== 'unknown';
}

/** When the last of the given streams ends, in seconds; the file's own end where one of them does not say. */
export function endSecondsOf(probe: Probe, streams: (Stream | undefined)[]): number | undefined {
  const ends = streams
    .filter((stream) => stream !== undefined)
    .map(({ startSeconds, durationSeconds }) => startSeconds + (durationSeconds ?? Number.NaN));
  const last = Math.max(...ends);
  return Number.isFinite(last) ? last : probe.durationSeconds;
}

/** A picture, moving or still; refuses an input that has none, or none that can be shown here as it is meant. */
export function requireVideoStream(probe: Probe): VideoStream {
  const video = mainVideo(probe);
  if (video === undefined) refuse('This recipe needs a video stream; the input has none');
  if (video.dolbyVision === 'alone') {
    refuse(
      'The picture is Dolby Vision without a picture for other players (profile 5), and would come out green and purple; send one with an HDR10 or HLG picture, as profile 8 has it',
    );
  }
  if (probe.streams.some((stream) => stream.kind === 'video' && stream.isTile)) {
    refuse(
      'The picture is made of tiles, as photos in HEIC are, which are not put together; send it as JPEG',
    );
  }
  return video;
}

/** A moving picture; refuses sound without picture and still images. */
export function requireVideo(probe: Probe): VideoStream {
  const video = requireVideoStream(probe);
  if (probe.durationSeconds !== undefined) return video;
  refuse('This recipe needs a video; the input is a still image');
}

/** The sound of the input; refuses one that is silent by having no audio stream. */
export function requireAudio(probe: Probe): AudioStream {
  const audio = mainAudio(probe);
  if (audio) return audio;
  refuse('This recipe needs an audio stream; the input has none');
}

function refuse(message: string): never {
  throw new JobError('INPUT_UNSUPPORTED', message);
}

/** Whether ffmpeg reads files of this container as one picture. */
export function isImageContainer(container: string): boolean {
  return /_pipe$|^image2$/.test(container);
}

/** Whether it is an animated WebP: nothing else is read as one picture and lasts. */
export function isAnimatedWebp({ container, durationSeconds }: Probe): boolean {
  return isImageContainer(container) && durationSeconds !== undefined;
}
