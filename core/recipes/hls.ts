import * as z from 'zod';
import type { Command } from '../media/command.ts';
import { endOf, requireMovingPicture } from '../media/streams.ts';
import { presets, videoCodecArguments } from '../media/video-codecs.ts';
import { audioBitrateParameter } from './audio-bitrate.ts';
import { ladderArguments } from './encode-ladder.ts';
import { frameTimeArguments, ratesOf } from './encode-video.ts';
import { ladderOf } from './ladder.ts';
import type { LadderEncoding } from './ladder-encoding.ts';
import { onlyThese } from './outputs.ts';
import { packagedOutputs, packagingArguments } from './packaging.ts';
import { defineRecipe, type PlanInput } from './recipe.ts';
import { keptSound, soundArguments, soundExpectation } from './sound.ts';
import {
  everySegment,
  heldFromTheStart,
  keyframeArguments,
  rateArguments,
  type Streamed,
} from './streamed.ts';
import { withEvenSound } from './uneven-sound.ts';

export const hls = defineRecipe({
  name: 'hls',
  title: 'HLS and DASH',
  description:
    'A video for adaptive streaming in the sizes that suit it: H.264 and AAC in fragmented MP4, one set of files for HLS (the output called hls) and MPEG-DASH (dash). Each size has its file, such as 720p, and its playlist, 720p-playlist; sound has audio and audio-playlist. The URL of hls or of dash is all that a player needs.',
  formats: ['m3u8'],
  parameters: z.strictObject({
    maxHeight: z.int().min(144).max(2160).default(1080).meta({
      description:
        'Height in pixels of the largest size; of an upright video its width. The video is never enlarged.',
    }),
    segmentSeconds: z.int().min(2).max(10).default(4).meta({
      description: 'Length of a segment in seconds. Players begin, seek and change sizes at segments.',
    }),
    crf: z.number().min(16).max(40).default(23).meta({
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
    const video = requireMovingPicture(probe);
    const audio = keptSound(probe, { audioBitrateKbps });
    const durationSeconds = endOf(probe, [video, audio]);
    const rungs = ladderOf(video, maxHeight);
    const maxRatesKbps = rungs.map(({ maxRateKbps }) => maxRateKbps);
    const streamed: Streamed = { segmentSeconds, maxRatesKbps, ...heldFromTheStart(video) };
    const encoded: StreamEncoding = {
      codec: 'h264',
      quality: { crf },
      preset,
      sizes: rungs,
      streamed,
      audioBitrateKbps,
      soundFilters: whole(durationSeconds),
    };
    const { audio: expected } = soundExpectation(audio, 'mp4');
    const outputs = packagedOutputs({
      sizes: rungs,
      pictureSeconds: endOf(probe, [video]),
      sound: expected && { ...expected, seconds: durationSeconds },
    });
    return withEvenSound(input, audio, (sound) => {
      const encoding = { ...encoded, ...sound };
      return { commands: [streamCommand(input, { encoding, durationSeconds })], outputs, encoding };
    });
  },
});

type StreamEncoding = LadderEncoding & { streamed: Streamed };

function streamCommand(
  { probe, inputPath, outputDirectory: directory }: PlanInput<unknown>,
  { encoding, durationSeconds }: { encoding: StreamEncoding; durationSeconds: number | undefined },
): Command {
  const video = requireMovingPicture(probe);
  const audio = keptSound(probe, encoding);
  const { codec, sizes, streamed, soundFrom } = encoding;
  const { segmentSeconds } = streamed;
  return {
    inputs: [{ path: inputPath }, ...(soundFrom ? [soundFrom] : [])],
    outputArguments: [
      ...ladderArguments(video, encoding),
      ...sizes.flatMap((_, size) => ['-map', `[size${size}]`]),
      ...videoCodecArguments(codec, {
        ...encoding,
        format: 'mp4',
        ...ratesOf(video, { framesPerSecond: streamed.heldAt }),
      }),
      ...sizes.flatMap((_, size) => rateArguments({ streamed, size, specifier: `:v:${size}` })),
      ...keyframeArguments(everySegment(segmentSeconds)),
      ...frameTimeArguments({}),
      ...soundArguments(audio, { ...encoding, format: 'mp4' }),
      ...onlyThese,
      ...packagingArguments({ directory, segmentSeconds, hasSound: audio !== undefined }),
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
