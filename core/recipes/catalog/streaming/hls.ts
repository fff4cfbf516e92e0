import * as z from 'zod';
import { audioArguments, audioExpectation, selectAudio } from '../../../encoding/audio/encode-audio.ts';
import { planWithUniformAudio } from '../../../encoding/audio/uniform-audio.ts';
import type { LadderEncoding } from '../../../encoding/encoding.ts';
import { ladderArguments } from '../../../encoding/ladder/encode-ladder.ts';
import { buildLadder } from '../../../encoding/ladder/ladder.ts';
import { packagedOutputs, packagingArguments } from '../../../encoding/ladder/packaging.ts';
import {
  keyframeArguments,
  rateLimitArguments,
  type SegmentingOptions,
  segmentKeyframes,
  startPadding,
} from '../../../encoding/ladder/segmenting.ts';
import { dropOtherStreams } from '../../../encoding/outputs.ts';
import type { PlanInput } from '../../../encoding/plan.ts';
import { encoderFps, timestampArguments } from '../../../encoding/video/encode-video.ts';
import { presets, videoCodecArguments } from '../../../media/codecs/video-codecs.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { audioBitrateParameter, crfLabels } from '../../parameters/common-parameters.ts';
import { defineRecipe } from '../../recipe.ts';

export const hls = defineRecipe({
  name: 'hls',
  title: 'HLS and DASH',
  description:
    'A video for adaptive streaming in the sizes that suit it: H.264 and AAC in fragmented MP4, one set of files for HLS (the output called hls) and MPEG-DASH (dash). Each size has its file, such as 720p, and its playlist, 720p-playlist; sound has audio and audio-playlist. The URL of hls or of dash is all that a player needs.',
  formats: ['m3u8'],
  comparison: 'none',
  parameters: z.strictObject({
    maxHeight: z.int().min(144).max(2160).default(1080).meta({
      description:
        'Height in pixels of the largest size; of an upright video its width. The video is never enlarged.',
    }),
    segmentSeconds: z.int().min(2).max(10).default(4).meta({
      description: 'Length of a segment in seconds. Players begin, seek and change sizes at segments.',
    }),
    crf: z.number().min(16).max(40).default(23).meta({
      'x-value-labels': crfLabels,
      description:
        'Constant rate factor of x264, as far as the highest bit rate of a size allows. Lower looks better.',
    }),
    preset: z.enum(presets).default('veryfast').meta({
      description: 'How long x264 may search: slower makes smaller files of the same quality.',
    }),
    audioBitrate: audioBitrateParameter,
  }),
  example: { output: { format: 'm3u8' }, recipe: { name: 'hls', maxHeight: 720, segmentSeconds: 4 } },
  plan(input) {
    const { parameters, probe } = input;
    const { maxHeight, segmentSeconds, crf, preset, audioBitrate: audioBitrateKbps } = parameters;
    const video = requireVideo(probe);
    const audio = selectAudio(probe, { audioBitrateKbps });
    const durationSeconds = endSecondsOf(probe, [video, audio]);
    const rungs = buildLadder(video, maxHeight);
    const maxRatesKbps = rungs.map(({ maxRateKbps }) => maxRateKbps);
    const segmenting: SegmentingOptions = { segmentSeconds, maxRatesKbps, ...startPadding(video) };
    const encoded: StreamEncoding = {
      codec: 'h264',
      quality: { crf },
      preset,
      sizes: rungs,
      segmenting,
      audioBitrateKbps,
      audioFilters: whole(durationSeconds),
    };
    const { audio: expected } = audioExpectation(audio, 'mp4');
    const outputs = packagedOutputs({
      sizes: rungs,
      videoSeconds: endSecondsOf(probe, [video]),
      audio: expected && { ...expected, seconds: durationSeconds },
    });
    return planWithUniformAudio(input, audio, (sound) => {
      const encoding = { ...encoded, ...sound };
      return { commands: [streamCommand(input, { encoding, durationSeconds })], outputs, encoding };
    });
  },
});

type StreamEncoding = LadderEncoding & { segmenting: SegmentingOptions };

function streamCommand(
  { probe, inputPath, outputDirectory: directory }: PlanInput<unknown>,
  { encoding, durationSeconds }: { encoding: StreamEncoding; durationSeconds: number | undefined },
): Command {
  const video = requireVideo(probe);
  const audio = selectAudio(probe, encoding);
  const { codec, sizes, segmenting, audioSource } = encoding;
  const { segmentSeconds } = segmenting;
  return {
    inputs: [{ path: inputPath }, ...(audioSource ? [audioSource] : [])],
    outputArguments: [
      ...ladderArguments(video, encoding),
      ...sizes.flatMap((_, size) => ['-map', `[size${size}]`]),
      ...videoCodecArguments(codec, {
        ...encoding,
        format: 'mp4',
        ...encoderFps(video, { framesPerSecond: segmenting.padStartFps }),
      }),
      ...sizes.flatMap((_, size) => rateLimitArguments({ segmenting, size, specifier: `:v:${size}` })),
      ...keyframeArguments(segmentKeyframes(segmentSeconds)),
      ...timestampArguments({}),
      ...audioArguments(audio, { ...encoding, format: 'mp4' }),
      ...dropOtherStreams,
      ...packagingArguments({ directory, segmentSeconds, hasAudio: audio !== undefined }),
    ],
    durationSeconds,
  };
}

/** Sound from the first moment to the last: players wait for what a playlist does not have. */
function whole(seconds: number | undefined): string[] {
  return [
    'aresample=async=1:first_pts=0',
    ...(seconds === undefined ? [] : [`apad=whole_dur=${seconds.toFixed(3)}`]),
  ];
}
