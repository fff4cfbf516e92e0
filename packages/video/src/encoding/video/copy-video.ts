import { copiedCodecs, copiedVideoArguments } from '../../media/codecs/copied-codecs.ts';
import { constantRate, filter } from '../../media/filters/filter.ts';
import type { FrameTransform } from '../../media/filters/video-filters.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import { atOutputRate, constantFps } from '../../media/frame-rate.ts';
import { evenSize } from '../../media/frame-size.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, isInvisibleGap, requireVideo } from '../../media/probe/streams.ts';
import { audioArguments, audioExpectation, selectAudio } from '../audio/map-audio.ts';
import { endOfEdits } from '../copy/copy-streams.ts';
import { decodeCopy, decodeSeams, seamsOfCopy } from '../copy/seams.ts';
import type { AudioOptions, VideoEncoding } from '../encoding.ts';
import { keepChapters, outputFile, timecodeArguments } from '../options.ts';
import type { Plan, PlanInput } from '../plan.ts';
import { defaultEncodingFor } from './default-encoding.ts';
import { encodeVideo } from './encode-video.ts';

/**
 * A plan that changes only the audio. The video is copied if the output container supports its codec and keeps its timestamps;
 * otherwise it is encoded. A muted video that starts late is encoded too: players disagree
 * about an empty start, so its first frame is shown from t=0.
 */
export function copyVideoOrEncode(input: PlanInput<unknown, VideoFormat>, change: Partial<AudioOptions>): Plan {
  const video = requireVideo(input.probe);
  const { format } = input;
  const encoding = { ...defaultEncodingFor(input), ...change };
  const transform = { scale: evenSize(video) };
  if (change.isMuted && !isInvisibleGap(video.startSeconds)) {
    return encodeVideo(input, { ...encoding, ...padStart(video, transform) });
  }
  const encode = () => encodeVideo(input, { ...encoding, transform });
  if (input.fusion || !isCopyable(input.probe, video, format)) return encode();
  const audio = selectAudio(input.probe, encoding);
  const durationSeconds = endSecondsOf(input.probe, [video, ...audio]);
  const { width, height, codec } = video;
  const { output, path } = outputFile(input, {
    durationSeconds,
    video: { codec, width, height },
    ...audioExpectation(audio, { ...encoding, format }),
  });
  const outputArguments = [
    ...['-map', `0:${video.index}`, ...copiedVideoArguments(video, format)],
    ...audioArguments(audio, { ...encoding, format }),
    ...endOfEdits(input.probe, [video, ...audio]),
    ...['-sn', '-dn', ...keepChapters, ...timecodeArguments(input.probe, format)],
    ...containerArguments(format),
    path,
  ];
  const seams = seamsOfCopy(durationSeconds);
  const inputs = [{ path: input.inputPath }, ...(change.audioSource ? [change.audioSource] : [])];
  return {
    commands: [{ inputs, outputArguments, durationSeconds }],
    outputs: [{ ...output, copiedStreams: [video] }],
    copyCheck: {
      file: [decodeCopy(path, seams, { video, streams: ['v:0'] })],
      source: decodeSeams(input.inputPath, seams, { streams: [String(video.index)] }),
      otherwise: encode,
    },
  };
}

/** Shows the first frame from t=0, which needs a constant frame rate. */
function padStart(video: VideoStream, transform: FrameTransform): Pick<VideoEncoding, 'transform' | 'finalFilters'> {
  const framesPerSecond = constantFps(atOutputRate(video));
  return {
    transform: { ...transform, framesPerSecond },
    finalFilters: [
      // If ffmpeg reads only the video of a broadcast, it sets the timestamp of the first frame to 0.
      filter('setpts', `PTS-STARTPTS+${video.startSeconds.toFixed(6)}/TB`),
      constantRate(framesPerSecond, ':start_time=0'),
    ],
  };
}

function isCopyable({ container }: Probe, { codec, splicedBy }: VideoStream, format: VideoFormat): boolean {
  // Other containers may have jumps or gaps in their timestamps. In MP4, a lossless cut hides its first frames by an edit list:
  // a container without edit lists would show them.
  const hasEditLists = format === 'mp4' || format === 'mov';
  const keepsTimestamps = container.includes('matroska') || (container.includes('mp4') && hasEditLists);
  return keepsTimestamps && !splicedBy && copiedCodecs[format].video.includes(codec);
}
