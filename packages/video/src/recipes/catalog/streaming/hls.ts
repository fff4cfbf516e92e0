import * as z from 'zod';
import { audioArguments, selectAudioTracks } from '../../../encoding/audio/map-audio.ts';
import { planWithUniformAudio, readStreams } from '../../../encoding/audio/uniform-audio.ts';
import { fitMemory } from '../../../encoding/encoder-memory.ts';
import type { LadderEncoding } from '../../../encoding/encoding.ts';
import { ladderArguments, renditionArguments } from '../../../encoding/ladder/encode-ladder.ts';
import {
  buildLadder,
  crfLike,
  heldEndFilters,
  keyframeArguments,
  keyframeIntervalFor,
  keyframesEvery,
  type LadderCodec,
  ladderCodecs,
  maxRateOf,
  type Rendition,
  requiredConstantRate,
  requiredHeldEnd,
  type SegmentingOptions,
} from '../../../encoding/ladder/ladder.ts';
import { fragmentArguments, packagedOutputs } from '../../../encoding/ladder/packaging.ts';
import { audioTrackOrder, commonChannels } from '../../../encoding/ladder/spoken-tracks.ts';
import { planSubtitles, subtitleAsset } from '../../../encoding/ladder/subtitle-tracks.ts';
import { dropOtherStreams } from '../../../encoding/options.ts';
import type { PendingPlan, Plan, PlanInput, PlannedOutput } from '../../../encoding/plan.ts';
import { lastFrameArguments, lastFrameFilters } from '../../../encoding/video/frame-times.ts';
import { JobError } from '../../../errors.ts';
import { presets } from '../../../media/codecs/video-codecs.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { atOutputRate } from '../../../media/frame-rate.ts';
import { maxSegments, mediaFile } from '../../../media/playlists/set-files.ts';
import type { AudioStream } from '../../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { integer, number } from '../../../values.ts';
import { audioBitrateParameter, crfLabels, deinterlaceParameter } from '../../parameters/common-parameters.ts';
import {
  encryptionConflicts,
  encryptionOf,
  encryptionParameter,
  subtitleFilesParameter,
} from '../../parameters/stream-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const hls = defineRecipe({
  name: 'hls',
  title: 'HLS and DASH',
  description:
    'A stream for players on the web and in apps. It has the video in several sizes, and the player takes the one that its connection can carry. Give a player the URL of the output hls, or of dash for MPEG-DASH. All audio tracks and text subtitles are kept, with their languages.',
  formats: ['m3u8'],
  comparison: 'none',
  severalOutputs: true,
  dependsOnCaptions: true,
  parameters: () =>
    z.strictObject({
      maxHeight: integer(144, 2160).default(1080).meta({
        description: 'Maximum height in pixels; maximum width for a portrait video. The video is never enlarged.',
      }),
      segmentSeconds: integer(2, 10).default(6).meta({
        description: 'Length of a segment in seconds. Players start, seek and switch renditions at segments.',
      }),
      codecs: z
        .array(z.enum(ladderCodecs))
        .min(1)
        .max(ladderCodecs.length)
        .refine((list) => list.includes('h264'), 'Must have h264, which every player supports')
        .refine((list) => new Set(list).size === list.length, 'Must not have a value twice')
        .default(['h264'])
        .meta({
          description:
            'Video codecs: h264, and beside it h265 or av1, each with all sizes at a smaller bit rate. Players choose the codec that they support.',
        }),
      crf: number(16, 40).default(23).meta({
        'x-value-labels': crfLabels,
        description:
          'Constant rate factor of x264, limited by the maximum bit rate of each rendition. Lower looks better. Other codecs get the value that looks alike.',
      }),
      preset: z
        .enum(presets)
        .default('veryfast')
        .meta({ description: 'Encoding effort: slower makes smaller files of the same quality.' }),
      deinterlace: deinterlaceParameter(),
      audioBitrate: audioBitrateParameter(),
      subtitles: subtitleFilesParameter(),
      encryption: encryptionParameter(),
    }),
  conflicts: encryptionConflicts,
  example: { output: { format: 'm3u8' }, recipe: { name: 'hls', maxHeight: 720, segmentSeconds: 4 } },
  assets: ({ subtitles = [] }) =>
    subtitles.map(({ url }, index) => ({
      name: subtitleAsset(index),
      path: `${subtitleAsset(index)}.url`,
      url,
      kind: 'subtitles',
    })),
});

export function planHls(input: RecipeInput<typeof hls>): Plan | PendingPlan {
  const { parameters, probe } = input;
  const { maxHeight, segmentSeconds, deinterlace } = parameters;
  const options = { segmentSeconds, encryption: encryptionOf(parameters) };
  const codecs = ladderCodecs.filter((codec) => parameters.codecs.includes(codec));
  const video = requireVideo(probe);
  const audioTracks = audioTrackOrder(probe);
  const audio = selectAudioTracks(probe, audioTracks);
  const durationSeconds = endSecondsOf(probe, [video, ...audio]);
  requireFittingPlaylists(durationSeconds, keyframeIntervalFor(segmentSeconds));
  const sizes = buildLadder(atOutputRate(video, { deinterlace }), maxHeight);
  const tracks = { audioTracks, channels: commonChannels(audio) };
  const encodings = encodingsOf(input, { codecs, sizes }, tracks, durationSeconds);
  const [first, ...otherCodecs] = encodings;
  const encoding = first && { ...first, ...(otherCodecs.length > 0 && { otherCodecs }) };
  const outputs = packagedOutputs({
    options,
    codecs,
    sizes,
    videoSeconds: encoding?.segmenting.heldEnd?.untilSeconds ?? endSecondsOf(probe, [video]),
    // Tone mapping drops them with the HDR metadata.
    hasCaptions: video.hasCaptions === true && video.hdrTransfer === undefined,
    audio,
    audioSeconds: durationSeconds,
  });
  const planWith = (subtitleOutputs: PlannedOutput[]) =>
    planWithUniformAudio(input, audio, (audioCopy) => ({
      commands: encodings.map((inOneCodec, index) =>
        streamCommand(input, {
          // The first command has the audio for all codecs.
          encoding: index === 0 ? { ...inOneCodec, ...audioCopy } : inOneCodec,
          audio: index === 0 ? audio : [],
          readOnly: index > 0 || audioCopy.audioSource !== undefined ? audio : [],
          files: { firstNumber: index * sizes.length, firstAudioNumber: codecs.length * sizes.length },
          segmentSeconds,
          durationSeconds,
        }),
      ),
      outputs: [...outputs, ...subtitleOutputs],
      encoding: encoding && { ...encoding, ...audioCopy },
    }));
  const subtitles = planSubtitles(input, { files: parameters.subtitles ?? [], options, durationSeconds });
  if (subtitles.tasks.length === 0) return planWith([]);
  return {
    measure: subtitles.tasks,
    progressAfter: 0.01,
    outputs: [...outputs, ...subtitles.outputs([])],
    encoding,
    decide: (_, results) => planWith(subtitles.outputs(results)),
    expected: () => planWith([]),
  };
}

/** @throws JobError `INPUT_TOO_LONG` for more keyframes than a playlist names */
function requireFittingPlaylists(durationSeconds = 0, keyframeIntervalSeconds: number): void {
  const maxSeconds = maxSegments * keyframeIntervalSeconds;
  if (durationSeconds <= maxSeconds) return;
  const message = `The input lasts ${durationSeconds.toFixed(1)} s; a stream with a keyframe every ${keyframeIntervalSeconds} s lasts at most ${Math.floor(maxSeconds)} s`;
  throw new JobError('INPUT_TOO_LONG', message);
}

type StreamEncoding = LadderEncoding & { segmenting: SegmentingOptions };

function encodingsOf(
  { probe, parameters, memory }: RecipeInput<typeof hls>,
  { codecs, sizes }: { codecs: readonly LadderCodec[]; sizes: [Rendition, ...Rendition[]] },
  tracks: Pick<StreamEncoding, 'audioTracks' | 'channels'>,
  durationSeconds: number | undefined,
): StreamEncoding[] {
  const { segmentSeconds, crf, preset, deinterlace, audioBitrate } = parameters;
  const video = requireVideo(probe);
  const requested: Omit<StreamEncoding, 'codec'> = {
    quality: { crf },
    preset,
    sizes,
    segmenting: {
      keyframeIntervalSeconds: keyframeIntervalFor(segmentSeconds),
      maxRatesKbps: sizes.map(({ maxRateKbps }) => maxRateKbps),
      ...requiredConstantRate(atOutputRate(video, { deinterlace })),
      ...requiredHeldEnd(endSecondsOf(probe, [video]), durationSeconds),
    },
    deinterlace,
    ...tracks,
    audioBitrateKbps: audioBitrate,
    // Players stall on gaps in a stream.
    audioPadding: { untilSeconds: durationSeconds },
  };
  return codecs.map((codec) => fitMemory(inCodec(requested, codec, codecs), video, memory));
}

/** The encoding of one codec of several, at the quality and bit rates that look like those of H.264. */
function inCodec(
  encoding: Omit<StreamEncoding, 'codec'>,
  codec: LadderCodec,
  codecs: readonly LadderCodec[],
): StreamEncoding {
  const { quality, segmenting } = encoding;
  const maxRatesKbps = segmenting.maxRatesKbps.map((kbps) => maxRateOf(codec, kbps));
  return {
    ...encoding,
    codec,
    quality: { crf: crfLike(quality.crf, codec) },
    segmenting: { ...segmenting, maxRatesKbps },
    // SVT-AV1 writes no closed captions, and either all variants of a stream have them or none.
    ...(codec !== 'av1' && codecs.includes('av1') && { dropsCaptions: true }),
  };
}

type StreamOptions = {
  encoding: StreamEncoding;
  audio: readonly AudioStream[];
  /** The tracks that this command does not write from its first input. */
  readOnly: readonly AudioStream[];
  /** The numbers of its first video and of its first audio track in the stream. */
  files: { firstNumber: number; firstAudioNumber: number };
  segmentSeconds: number;
  durationSeconds: number | undefined;
};

/** One decoding of the input, and a file for each size and each audio track. */
function streamCommand(
  { probe, inputPath, outputDirectory: directory }: PlanInput<unknown>,
  { encoding, audio, readOnly, files, segmentSeconds, durationSeconds }: StreamOptions,
): Command {
  const video = requireVideo(probe);
  const { sizes, segmenting, audioSource } = encoding;
  return {
    inputs: [{ path: inputPath }, ...(audioSource ? [audioSource] : [])],
    outputArguments: [
      ...ladderArguments(video, {
        ...encoding,
        finalFilters: [...heldEndFilters(segmenting), ...lastFrameFilters(video, encoding)],
      }),
      ...sizes.flatMap((_, size) => [
        ...renditionArguments(video, { ...encoding, size, format: 'mp4' }),
        ...keyframeArguments(keyframesEvery(segmenting.keyframeIntervalSeconds)),
        ...lastFrameArguments({ probe, format: 'mp4' }, video, encoding),
        ...dropOtherStreams,
        ...fragmentArguments({ kind: 'video' }),
        `${directory}/${mediaFile(files.firstNumber + size)}`,
      ]),
      ...audio.flatMap((track, index) => [
        ...audioArguments([track], { ...encoding, format: 'mp4', sourceTrack: index }),
        ...dropOtherStreams,
        ...fragmentArguments({ kind: 'audio', segmentSeconds }),
        `${directory}/${mediaFile(files.firstAudioNumber + index)}`,
      ]),
      ...readStreams(probe, readOnly),
    ],
    durationSeconds,
  };
}
