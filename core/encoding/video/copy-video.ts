import { codecsByFormat, probedCodecs } from '../../media/codecs/video-codecs.ts';
import type { FrameTransform } from '../../media/filters/video-filters.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import { constantFps } from '../../media/frame-rate.ts';
import { evenSize } from '../../media/frame-size.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import { type AudioOptions, audioArguments, audioExpectation, selectAudio } from '../audio/encode-audio.ts';
import type { VideoEncoding } from '../encoding.ts';
import { dropOtherStreams, singleOutput } from '../outputs.ts';
import type { Plan, PlanInput } from '../plan.ts';
import { defaultEncodingFor } from './default-encoding.ts';
import { encodeVideo } from './encode-video.ts';

// Less than anybody sees.
const unnoticedSeconds = 0.05;

/**
 * A plan that changes the sound alone. The picture is copied as it is where the container of the output takes its
 * codec and the input's times can be trusted, and encoded anew elsewhere. One that begins after a sound that is taken
 * away is seen from the beginning, since players do not agree on nothing.
 */
export function copyVideoOrEncode(
  input: PlanInput<unknown>,
  change: Omit<AudioOptions, 'audioBitrateKbps'>,
): Plan {
  const video = requireVideo(input.probe);
  const format = input.format as VideoFormat;
  const encoding = { ...defaultEncodingFor(input), ...change };
  const transform = { scale: evenSize(video) };
  if (change.isMuted && video.startSeconds > unnoticedSeconds) {
    return encodeVideo(input, { ...encoding, ...shownFromTheStart(video, transform) });
  }
  if (!isCopyable(input.probe, video, format)) return encodeVideo(input, { ...encoding, transform });
  const audio = selectAudio(input.probe, encoding);
  const durationSeconds = endSecondsOf(input.probe, [video, audio]);
  const { width, height, codec } = video;
  const { output, path } = singleOutput(input, {
    durationSeconds,
    video: { codec, width, height },
    ...audioExpectation(audio, format),
  });
  const outputArguments = [
    ...['-map', `0:${video.index}`, '-c:v', 'copy'],
    ...(codec === 'hevc' && format !== 'mkv' ? ['-tag:v', 'hvc1'] : []),
    // So that an MP4 goes on to say what is Dolby Vision, and what is a picture all around.
    ...['-strict', 'unofficial'],
    ...audioArguments(audio, { ...encoding, format }),
    ...dropOtherStreams,
    ...containerArguments(format),
    path,
  ];
  const inputs = [{ path: input.inputPath }, ...(change.audioSource ? [change.audioSource] : [])];
  return {
    commands: [{ inputs, outputArguments, durationSeconds }],
    outputs: [output],
  };
}

/** Its first frame from the first moment of the file on, which takes a constant rate. */
function shownFromTheStart(
  video: VideoStream,
  picture: FrameTransform,
): Pick<VideoEncoding, 'transform' | 'finalFilters'> {
  const framesPerSecond = constantFps(video);
  return {
    transform: { ...picture, framesPerSecond },
    finalFilters: [
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
  return keepsTimes && codecsByFormat[format].some((each) => probedCodecs[each] === codec);
}
