import { containerArguments, type VideoFormat } from '../media/formats.ts';
import { steadyRate } from '../media/frame-rate.ts';
import type { Probe, VideoStream } from '../media/probe.ts';
import { evenSize } from '../media/size.ts';
import { endOf, requireMovingPicture } from '../media/streams.ts';
import { codecsOf, probedCodecs } from '../media/video-codecs.ts';
import type { PictureChange } from '../media/video-filters.ts';
import { encodeVideo } from './encode-video.ts';
import { ordinaryFor } from './ordinary-encoding.ts';
import { onlyThese, singleOutput } from './outputs.ts';
import type { Plan, PlanInput } from './recipe.ts';
import { keptSound, type SoundChange, soundArguments, soundExpectation } from './sound.ts';
import type { VideoEncoding } from './video-encoding.ts';

// Less than anybody sees.
const unnoticedSeconds = 0.05;

/**
 * A plan that changes the sound alone. The picture is copied as it is where the container of the output takes its
 * codec and the input's times can be trusted, and encoded anew elsewhere. One that begins after a sound that is taken
 * away is seen from the beginning, since players do not agree on nothing.
 */
export function keepPicture(input: PlanInput<unknown>, change: Omit<SoundChange, 'audioBitrateKbps'>): Plan {
  const video = requireMovingPicture(input.probe);
  const format = input.format as VideoFormat;
  const encoding = { ...ordinaryFor(input), ...change };
  const picture = { scale: evenSize(video) };
  if (change.isSilent && video.startSeconds > unnoticedSeconds) {
    return encodeVideo(input, { ...encoding, ...shownFromTheStart(video, picture) });
  }
  if (!isCopyable(input.probe, video, format)) return encodeVideo(input, { ...encoding, picture });
  const audio = keptSound(input.probe, encoding);
  const durationSeconds = endOf(input.probe, [video, audio]);
  const { width, height, codec } = video;
  const { output, path } = singleOutput(input, {
    durationSeconds,
    video: { codec, width, height },
    ...soundExpectation(audio, format),
  });
  const outputArguments = [
    ...['-map', `0:${video.index}`, '-c:v', 'copy'],
    ...(codec === 'hevc' && format !== 'mkv' ? ['-tag:v', 'hvc1'] : []),
    // So that an MP4 goes on to say what is Dolby Vision, and what is a picture all around.
    ...['-strict', 'unofficial'],
    ...soundArguments(audio, { ...encoding, format }),
    ...onlyThese,
    ...containerArguments(format),
    path,
  ];
  const inputs = [{ path: input.inputPath }, ...(change.soundFrom ? [change.soundFrom] : [])];
  return {
    commands: [{ inputs, outputArguments, durationSeconds }],
    outputs: [output],
  };
}

/** Its first frame from the first moment of the file on, which takes a constant rate. */
function shownFromTheStart(
  video: VideoStream,
  picture: PictureChange,
): Pick<VideoEncoding, 'picture' | 'laterFilters'> {
  const framesPerSecond = steadyRate(video);
  return {
    picture: { ...picture, framesPerSecond },
    laterFilters: [
      // Of a broadcast ffmpeg counts the times from the first frame, where it reads nothing else.
      `setpts=PTS-STARTPTS+${video.startSeconds.toFixed(6)}/TB`,
      `fps=${framesPerSecond}:start_time=0`,
    ],
  };
}

function isCopyable({ container }: Probe, { codec }: VideoStream, format: VideoFormat): boolean {
  // What was cut without encoding hides its first pictures by an edit list, and shows them where there is none.
  const knowsEdits = format === 'mp4' || format === 'mov';
  const keepsTimes = container.includes('matroska') || (container.includes('mp4') && knowsEdits);
  return keepsTimes && codecsOf[format].some((each) => probedCodecs[each] === codec);
}
