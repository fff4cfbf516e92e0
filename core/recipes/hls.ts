import * as z from 'zod';
import type { Command } from '../media/command.ts';
import type { VideoStream } from '../media/probe.ts';
import { endOf, requireMovingPicture } from '../media/streams.ts';
import { presets, videoCodecArguments } from '../media/video-codecs.ts';
import { audioBitrateParameter } from './audio-bitrate.ts';
import { frameTimeArguments } from './encode-video.ts';
import { ladderOf, type Rung } from './ladder.ts';
import { onlyThese } from './outputs.ts';
import { packagedOutputs, packagingArguments } from './packaging.ts';
import { defineRecipe } from './recipe.ts';
import { keptSound, type SoundChange, soundArguments, soundExpectation } from './sound.ts';
import { splitPicture } from './split-picture.ts';
import { withEvenSound } from './uneven-sound.ts';

// What a decoder has to hold, at a size's highest rate.
const bufferSeconds = 1;

// Less than anybody sees.
const unnoticedSeconds = 0.05;

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
    const { parameters, probe, inputPath, outputDirectory } = input;
    const { maxHeight, segmentSeconds, crf, preset, audioBitrate: audioBitrateKbps } = parameters;
    const video = requireMovingPicture(probe);
    const audio = keptSound(probe, { audioBitrateKbps });
    const durationSeconds = endOf(probe, [video, audio]);
    const rungs = ladderOf(video, maxHeight);
    const commandWith = (sound: Pick<SoundChange, 'soundFrom'>): Command => ({
      inputs: [{ path: inputPath }, ...(sound.soundFrom ? [sound.soundFrom] : [])],
      outputArguments: [
        ...['-filter_complex', splitPicture(video, rungs, { before: fromTheStart(video) })],
        ...rungs.flatMap((_, index) => ['-map', `[size${index}]`]),
        ...videoCodecArguments('h264', { quality: { crf }, preset, format: 'mp4' }),
        ...rungs.flatMap((rung, index) => rateArguments(rung, { index, segmentSeconds })),
        // All sizes begin their segments with the same frames, and with no others.
        ...['-sc_threshold', '0', '-force_key_frames', `expr:gte(t,n_forced*${segmentSeconds})`],
        ...frameTimeArguments({}),
        ...soundArguments(audio, {
          ...{ format: 'mp4', audioBitrateKbps, soundFilters: whole(durationSeconds), ...sound },
        }),
        ...onlyThese,
        ...packagingArguments({
          directory: outputDirectory,
          segmentSeconds,
          hasSound: audio !== undefined,
        }),
      ],
      durationSeconds,
    });
    const { audio: expected } = soundExpectation(audio, 'mp4');
    const outputs = packagedOutputs({
      sizes: rungs,
      pictureSeconds: endOf(probe, [video]),
      sound: expected && { ...expected, seconds: durationSeconds },
    });
    return withEvenSound(input, audio, (sound) => ({ commands: [commandWith(sound)], outputs }));
  },
});

/** Where the picture comes after the sound, its first frame is shown until then; that takes a constant rate. */
function fromTheStart({ startSeconds, framesPerSecond = 25 }: VideoStream): string[] {
  return startSeconds < unnoticedSeconds ? [] : [`fps=${framesPerSecond}:start_time=0`];
}

/** The bit rate that is announced is what a segment may take at most, so that players never choose beyond their line. */
function rateArguments(
  { maxRateKbps }: Rung,
  { index, segmentSeconds }: { index: number; segmentSeconds: number },
): string[] {
  const announced = Math.ceil(maxRateKbps * (1 + bufferSeconds / segmentSeconds));
  return [
    ...[`-maxrate:v:${index}`, `${maxRateKbps}k`, `-bufsize:v:${index}`, `${maxRateKbps * bufferSeconds}k`],
    ...[`-b:v:${index}`, `${announced}k`],
  ];
}

/** Sound from the first moment to the last: players wait for what a playlist does not have. */
function whole(seconds: number | undefined): string[] {
  return [
    'aresample=async=1:first_pts=0',
    ...(seconds === undefined ? [] : [`apad=whole_dur=${seconds.toFixed(3)}`]),
  ];
}
