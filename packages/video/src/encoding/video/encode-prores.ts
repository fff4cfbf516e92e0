import { fillAudioGaps } from '../../media/codecs/audio-codecs.ts';
import { projectionArguments } from '../../media/codecs/encoder-arguments.ts';
import { type ProResProfile, proResArguments } from '../../media/codecs/video-codecs.ts';
import { hasAlpha } from '../../media/filters/alpha.ts';
import {
  type FrameTransform,
  mapThroughFilters,
  transformedSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import { containerArguments } from '../../media/formats.ts';
import { atConstantFrameRate, atOutputRate, type RateChange, toFps } from '../../media/frame-rate.ts';
import { requireEncodableSize } from '../../media/frame-size.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import { convertTimecode } from '../../media/timecode.ts';
import { mapAudio, selectAudioTracks } from '../audio/map-audio.ts';
import { audioTrackArguments, keepChapters, outputFile, timecodeArguments } from '../options.ts';
import type { Plan, PlanInput } from '../plan.ts';
import { timestampArguments } from './encode-video.ts';
import { frameGridOf, moveToGrid } from './frame-times.ts';

type ProResOptions = {
  /** Default: `4444` for a transparent source, otherwise `hq`. */
  profile?: ProResProfile | undefined;
  transform: FrameTransform;
  audioTracks?: readonly number[] | undefined;
};

/** ProRes for editing: 10 bits, uncompressed audio in all its channels, the chapters and the time code. */
export function encodeProRes(
  input: PlanInput<unknown>,
  { profile: chosen, transform: requested, audioTracks }: ProResOptions,
): Plan {
  const { probe, format } = input;
  const video = requireVideo(probe);
  // ffmpeg counts the frames of a time code by the rate that it assumes.
  const transform = probe.timecode === undefined ? requested : atConstantFrameRate(video, requested);
  const profile = chosen ?? (hasAlpha(video) ? '4444' : 'hq');
  const isTransparent = hasAlpha(video) && profile === '4444';
  const { pixelFormat, codec } = proResArguments(profile, { isTransparent });
  const audio = selectAudioTracks(probe, audioTracks);
  const isDeep = audio.some(({ bitDepth = 16 }) => bitDepth > 16);
  const audioCodec = isDeep ? 'pcm_s24le' : 'pcm_s16le';
  const durationSeconds = endSecondsOf(probe, [video, ...audio]);
  const { output, path } = outputFile(input, {
    durationSeconds,
    video: { codec: 'prores', ...requireEncodableSize(transformedSize(transform)) },
    audio: audio.length === 0 ? undefined : { codec: audioCodec, tracks: audio.length },
  });
  const background = isTransparent ? 'keep' : transform.background;
  const filters = videoFilters(video, { ...transform, background, pixelFormat });
  const timecode = timecodeAtRate(probe, video, transform);
  const frameGrid = frameGridOf(probe, video, transform);
  const outputArguments = [
    ...mapThroughFilters(video, filters),
    ...codec,
    ...projectionArguments(video, transform),
    ...timestampArguments(video, transform),
    ...(frameGrid ? ['-bsf:v', moveToGrid(frameGrid)] : []),
    ...audio.flatMap((track, index) => mapAudio(track, { filters: [fillAudioGaps], track: index })),
    ...(audio.length === 0 ? [] : ['-c:a', audioCodec]),
    ...audioTrackArguments(audio, { audioTracks, format }),
    ...['-sn', '-dn', ...keepChapters, ...timecodeArguments({ timecode }, format)],
    ...containerArguments(format),
    path,
  ];
  const inputs = [{ path: input.inputPath }];
  return { commands: [{ inputs, outputArguments, durationSeconds }], outputs: [output] };
}

function timecodeAtRate({ timecode }: Probe, video: VideoStream, change: RateChange): string | undefined {
  const { framesPerSecond: from } = video;
  const rate = change.framesPerSecond ?? atOutputRate(video, change).framesPerSecond;
  if (timecode === undefined || from === undefined || rate === undefined) return timecode;
  return convertTimecode(timecode, { from, to: toFps(rate) });
}
