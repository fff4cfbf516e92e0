import * as z from 'zod';
import { selectAudioTracks } from '../../../encoding/audio/audio-tracks.ts';
import { audioArguments } from '../../../encoding/audio/encode-audio.ts';
import { planWithUniformAudio } from '../../../encoding/audio/uniform-audio.ts';
import type { LadderEncoding } from '../../../encoding/encoding.ts';
import { fitMemory } from '../../../encoding/fit-memory.ts';
import { ladderArguments, renditionArguments } from '../../../encoding/ladder/encode-ladder.ts';
import { buildLadder } from '../../../encoding/ladder/ladder.ts';
import { fragmentArguments, packagedOutputs } from '../../../encoding/ladder/packaging.ts';
import {
  constantRateOf,
  keyframeArguments,
  keyframeIntervalOf,
  keyframesEvery,
  type SegmentingOptions,
} from '../../../encoding/ladder/segmenting.ts';
import { audioTrackOrder } from '../../../encoding/ladder/spoken-tracks.ts';
import { planSubtitles, subtitleAsset } from '../../../encoding/ladder/subtitle-tracks.ts';
import { dropOtherStreams } from '../../../encoding/outputs.ts';
import type { PlanInput, PlannedOutput } from '../../../encoding/plan.ts';
import { presets } from '../../../media/codecs/video-codecs.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { atOutputRate } from '../../../media/filters/deinterlace.ts';
import { mediaFile } from '../../../media/playlists/set-files.ts';
import type { AudioStream } from '../../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import {
  assetUrl,
  audioBitrateParameter,
  crfLabels,
  deinterlaceParameter,
} from '../../parameters/common-parameters.ts';
import { defineRecipe } from '../../recipe.ts';

const subtitleFiles = z
  .array(
    z.strictObject({
      url: assetUrl('The text: SRT, WebVTT or ASS, in UTF-8 or UTF-16, at most 10 MB.'),
      language: z
        .string()
        .regex(
          /^[a-z]{2,3}(-[A-Z]{2})?$/,
          'Expected a language of ISO 639, such as de, or one with a region, such as pt-BR',
        )
        .meta({ description: 'Language as a tag of BCP 47, such as de or pt-BR.' }),
      name: z
        .string()
        .regex(
          /^[\p{L}\p{N}][\p{L}\p{N} ()&+.,'/-]{0,59}$/u,
          "Expected up to 60 letters, digits, spaces and ( ) & + . , ' / -",
        )
        .optional()
        .meta({
          description: 'What players show in their menus. Default: the name of the language in English.',
        }),
      forced: z.boolean().optional().meta({
        description: 'Shown even without subtitles, such as the translation of signs. Default: false.',
      }),
    }),
  )
  .max(10)
  .optional()
  .meta({ description: 'Subtitle files besides the text tracks of the input, as further tracks.' });

export const hls = defineRecipe({
  name: 'hls',
  title: 'HLS and DASH',
  description:
    'Adaptive streaming: a ladder of renditions in H.264 and AAC, as fragmented MP4, one set of files for HLS (the output hls) and MPEG-DASH (the output dash). All audio tracks and all subtitle tracks of text are kept, with their languages. Each rendition has a file, such as 720p, a playlist, 720p-playlist, and one of its keyframes, 720p-keyframes; the audio has audio and audio-playlist, further tracks audio-2 and so on; subtitles have subtitles-1, subtitles-1-segments and subtitles-1-playlist. A player needs only the URL of hls or dash.',
  formats: ['m3u8'],
  comparison: 'none',
  parameters: z.strictObject({
    maxHeight: z.int().min(144).max(2160).default(1080).meta({
      description:
        'Maximum height in pixels; maximum width for a portrait video. The video is never enlarged.',
    }),
    segmentSeconds: z.int().min(2).max(10).default(6).meta({
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
    subtitles: subtitleFiles,
  }),
  example: { output: { format: 'm3u8' }, recipe: { name: 'hls', maxHeight: 720, segmentSeconds: 4 } },
  assets: ({ subtitles = [] }) =>
    subtitles.map(({ url }, index) => ({ name: subtitleAsset(index), url, kind: 'subtitles' })),
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
    const audioTracks = audioTrackOrder(probe);
    const audio = selectAudioTracks(probe, audioTracks);
    const durationSeconds = endSecondsOf(probe, [video, ...audio]);
    const outputVideo = atOutputRate(video, { deinterlace });
    const sizes = buildLadder(outputVideo, maxHeight);
    const segmenting: SegmentingOptions = {
      keyframeIntervalSeconds: keyframeIntervalOf(segmentSeconds),
      maxRatesKbps: sizes.map(({ maxRateKbps }) => maxRateKbps),
      ...constantRateOf(outputVideo),
    };
    const requested: StreamEncoding = {
      codec: 'h264',
      quality: { crf },
      preset,
      sizes,
      segmenting,
      deinterlace,
      audioTracks,
      audioBitrateKbps,
      audioFilters: padAudio(durationSeconds),
    };
    const options = fitMemory(requested, video, input.memory);
    const outputs = packagedOutputs({
      segmentSeconds,
      codec: options.codec,
      sizes,
      videoSeconds: endSecondsOf(probe, [video]),
      hasCaptions: video.hasCaptions === true,
      audio,
      audioSeconds: durationSeconds,
    });
    const planWith = (subtitleOutputs: PlannedOutput[]) =>
      planWithUniformAudio(input, audio, (audioCopy) => {
        const encoding = { ...options, ...audioCopy };
        const command = streamCommand(input, { encoding, audio, segmentSeconds, durationSeconds });
        return { commands: [command], outputs: [...outputs, ...subtitleOutputs], encoding };
      });
    const subtitles = planSubtitles(input, {
      files: parameters.subtitles ?? [],
      segmentSeconds,
      durationSeconds,
    });
    if (subtitles.tasks.length === 0) return planWith([]);
    return {
      measure: subtitles.tasks,
      progressAfter: 0.01,
      outputs,
      encoding: options,
      decide: (_, results) => planWith(subtitles.outputs(results)),
    };
  },
});

type StreamEncoding = LadderEncoding & { segmenting: SegmentingOptions };

type StreamOptions = {
  encoding: StreamEncoding;
  audio: readonly AudioStream[];
  segmentSeconds: number;
  durationSeconds: number | undefined;
};

/** One decoding of the input, and a file for each size and each audio track. */
function streamCommand(
  { probe, inputPath, outputDirectory: directory }: PlanInput<unknown>,
  { encoding, audio, segmentSeconds, durationSeconds }: StreamOptions,
): Command {
  const video = requireVideo(probe);
  const { sizes, segmenting, audioSource } = encoding;
  return {
    inputs: [{ path: inputPath }, ...(audioSource ? [audioSource] : [])],
    outputArguments: [
      ...ladderArguments(video, encoding),
      ...sizes.flatMap((_, size) => [
        ...renditionArguments(video, { ...encoding, size, format: 'mp4' }),
        ...keyframeArguments(keyframesEvery(segmenting.keyframeIntervalSeconds)),
        ...dropOtherStreams,
        ...fragmentArguments({ kind: 'video' }),
        `${directory}/${mediaFile(size)}`,
      ]),
      ...audio.flatMap((track, index) => [
        ...audioArguments([track], { ...encoding, format: 'mp4', sourceTrack: index }),
        ...dropOtherStreams,
        ...fragmentArguments({ kind: 'audio', segmentSeconds }),
        `${directory}/${mediaFile(sizes.length + index)}`,
      ]),
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
