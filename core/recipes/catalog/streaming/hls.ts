import * as z from 'zod';
import { audioArguments, audioExpectation, selectAudio } from '../../../encoding/audio/encode-audio.ts';
import { planWithUniformAudio } from '../../../encoding/audio/uniform-audio.ts';
import type { LadderEncoding } from '../../../encoding/encoding.ts';
import { fitMemory } from '../../../encoding/fit-memory.ts';
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
import { atOutputRate } from '../../../media/filters/deinterlace.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import {
  audioBitrateParameter,
  crfLabels,
  deinterlaceParameter,
} from '../../parameters/common-parameters.ts';
import { defineRecipe } from '../../recipe.ts';

export const hls = defineRecipe({
  name: 'hls',
  title: 'HLS and DASH',
  description:
    'Adaptive streaming: a ladder of renditions in H.264 and AAC, as fragmented MP4, one set of files for HLS (the output hls) and MPEG-DASH (the output dash). Each rendition has a file, such as 720p, and a playlist, 720p-playlist; the audio has audio and audio-playlist. A player needs only the URL of hls or dash.',
  formats: ['m3u8'],
  comparison: 'none',
  parameters: z.strictObject({
    maxHeight: z.int().min(144).max(2160).default(1080).meta({
      description:
        'Maximum height in pixels; maximum width for a portrait video. The video is never enlarged.',
    }),
    segmentSeconds: z.int().min(2).max(10).default(4).meta({
      description: 'Length of a segment in seconds. Players start, seek and switch renditions at segments.',
    }),
    crf: z.number().min(16).max(40).default(23).meta({
      'x-value-labels': crfLabels,
      description:
        'Constant rate factor of x264, limited by the maximum bit rate of each rendition. Lower looks better.',
    }),
    preset: z.enum(presets).default('veryfast').meta({
      description: 'Encoding effort of x264: slower makes smaller files of the same quality.',
    }),
    deinterlace: deinterlaceParameter,
    audioBitrate: audioBitrateParameter,
  }),
  example: { output: { format: 'm3u8' }, recipe: { name: 'hls', maxHeight: 720, segmentSeconds: 4 } },
  plan(input) {
    const { parameters, probe } = input;
    const {
      maxHeight,
      segmentSeconds,
      crf,
      preset,
      deinterlace,
      audioBitrate: audioBitrateKbps,
    } = parameters;
    const video = requireVideo(probe);
    const audio = selectAudio(probe, { audioBitrateKbps });
    const durationSeconds = endSecondsOf(probe, [video, ...audio]);
    const outputVideo = atOutputRate(video, { deinterlace });
    const renditions = buildLadder(outputVideo, maxHeight);
    const maxRatesKbps = renditions.map(({ maxRateKbps }) => maxRateKbps);
    const segmenting: SegmentingOptions = { segmentSeconds, maxRatesKbps, ...startPadding(outputVideo) };
    const requested: StreamEncoding = {
      codec: 'h264',
      quality: { crf },
      preset,
      sizes: renditions,
      segmenting,
      deinterlace,
      audioBitrateKbps,
      audioFilters: padAudio(durationSeconds),
    };
    const options = fitMemory(requested, video, input.memory);
    const { audio: expected } = audioExpectation(audio, { format: 'mp4' });
    const outputs = packagedOutputs({
      sizes: renditions,
      videoSeconds: endSecondsOf(probe, [video]),
      audio: expected && { ...expected, seconds: durationSeconds },
    });
    return planWithUniformAudio(input, audio[0], (audioCopy) => {
      const encoding = { ...options, ...audioCopy };
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
  const { codec, sizes, segmenting, deinterlace, audioSource } = encoding;
  const { segmentSeconds } = segmenting;
  return {
    inputs: [{ path: inputPath }, ...(audioSource ? [audioSource] : [])],
    outputArguments: [
      ...ladderArguments(video, encoding),
      ...sizes.flatMap((_, size) => ['-map', `[size${size}]`]),
      ...videoCodecArguments(codec, {
        ...encoding,
        format: 'mp4',
        size: sizes[0],
        ...encoderFps(video, { framesPerSecond: segmenting.padStartFps, deinterlace }),
      }),
      ...sizes.flatMap((_, size) => rateLimitArguments({ segmenting, size, specifier: `:v:${size}` })),
      ...keyframeArguments(segmentKeyframes(segmentSeconds)),
      ...timestampArguments(video, { deinterlace }),
      ...audioArguments(audio, { ...encoding, format: 'mp4' }),
      ...dropOtherStreams,
      ...packagingArguments({ directory, segmentSeconds, hasAudio: audio.length > 0 }),
    ],
    durationSeconds,
  };
}

/** Pads the audio with silence from 0 to the end: players stall on gaps in a stream. */
function padAudio(seconds: number | undefined): string[] {
  return [
    'aresample=async=1:first_pts=0',
    ...(seconds === undefined ? [] : [`apad=whole_dur=${seconds.toFixed(3)}`]),
  ];
}
