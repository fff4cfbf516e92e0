import * as z from 'zod';
import { audioFormatChanged, decodeAudio, mayChangeAudioFormat } from '../../../encoding/audio/uniform-audio.ts';
import {
  joinAudioGraph,
  joinedAudioArguments,
  joinedTrack,
  readVideoArguments,
  samplesOfClips,
  withUniformAudio,
} from '../../../encoding/concat/concat-audio.ts';
import {
  type ConcatClip,
  encodeClips,
  planClips,
  requireClipVideo,
  totalFrames,
} from '../../../encoding/concat/concat-video.ts';
import { decodeSeams } from '../../../encoding/copy/seams.ts';
import { dropOtherStreams, outputFile } from '../../../encoding/options.ts';
import type { ClipEncoding, CopyCheck, PendingPlan, Plan, PlannedOutput } from '../../../encoding/plan.ts';
import { defaultEncoding } from '../../../encoding/video/default-encoding.ts';
import { JobError } from '../../../errors.ts';
import { probedAudioCodec } from '../../../media/codecs/audio-codecs.ts';
import { probedCodecs } from '../../../media/codecs/video-codecs.ts';
import { type Command, concatListInput } from '../../../media/ffmpeg/command.ts';
import { containerArguments } from '../../../media/formats.ts';
import {
  atOutputRate,
  constantFps,
  exactRate,
  type FrameRate,
  isVariableRate,
  maxOutputFps,
  nearestConstantRate,
} from '../../../media/frame-rate.ts';
import { evenSize, fitInside, maxSidePixels, requireEncodableSize } from '../../../media/frame-size.ts';
import type { VideoStream } from '../../../media/probe/probe.ts';
import { mainAudio } from '../../../media/probe/streams.ts';
import { integer, number } from '../../../values.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const side = (name: string) =>
  integer(16, maxSidePixels)
    .multipleOf(2)
    .optional()
    .meta({ description: `${name} in pixels, even. Default: follows from the first input.` });

const parameters = () =>
  z.strictObject({
    width: side('Width'),
    height: side('Height'),
    fps: number(1, maxOutputFps).optional().meta({
      description:
        'Frames per second, constant. Default: the rate of the first input; 25 if that is variable and below 15 on average.',
    }),
    fit: z.enum(['pad', 'cover']).default('pad').meta({
      description:
        'How an input of another aspect ratio is shown: pad adds black bars, cover fills the frame and crops the rest.',
    }),
  });

export const concat = defineRecipe({
  name: 'concat',
  title: 'Concatenate',
  description:
    'Joins videos in the order of the inputs, whatever their sizes, aspect ratios, frame rates and audio formats. The audio is stereo at 48 kHz; an input without audio is silent.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  inputCount: { min: 2, max: 20 },
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'concat', width: 1280, height: 720, fps: 30 } },
});

export function planConcat(input: RecipeInput<typeof concat>): Plan | PendingPlan {
  const { inputs, format, outputDirectory: directory } = input;
  const [first] = inputs;
  if (first === undefined) throw new TypeError('concat needs inputs');
  const { fit, rate } = outputFitAndRate(requireClipVideo(first, 0), input.parameters);
  const { width, height } = requireEncodableSize({ width: fit.width, height: fit.height });
  const clips = planClips(input, { fit, rate });
  const { codec, audioBitrateKbps } = defaultEncoding(format);
  const durationSeconds = totalFrames(clips) / rate.fps;
  const probes = inputs.map(({ probe }) => probe);
  const hasAudio = joinedTrack(probes, durationSeconds) !== undefined;
  const { output, path } = outputFile(input, {
    durationSeconds,
    video: { codec: probedCodecs[codec], width, height },
    audio: hasAudio ? { codec: probedAudioCodec({ format }) } : undefined,
  });
  const outputs = [output];
  const listEntry = ({ path: clip, frames }: ConcatClip) => ({ path: clip, seconds: frames / rate.fps });
  const joinPlan = (encoded: readonly ConcatClip[]): Plan => {
    const sources = encoded.map(({ file, audioSource }) => audioSource ?? { path: file.path });
    const audio = encoded.map(({ file: { probe }, frames, audioSource }) => ({
      probe,
      frames,
      isCopy: audioSource !== undefined,
    }));
    const runs = samplesOfClips(encoded, rate.fps).map((end, clip) => ({ clip, end }));
    const command: Command = {
      inputs: [concatListInput(encoded.map(listEntry)), ...(hasAudio ? sources : [])],
      outputArguments: [
        ...(hasAudio ? ['-filter_complex', joinAudioGraph(audio, runs, { firstInput: 1 })] : []),
        ...['-map', '0:v', '-c:v', 'copy'],
        ...(hasAudio ? joinedAudioArguments(format, audioBitrateKbps) : []),
        ...[...dropOtherStreams, ...containerArguments(format), path],
        ...(hasAudio ? readVideoArguments(encoded) : []),
      ],
      durationSeconds: totalFrames(encoded) / rate.fps,
    };
    return { commands: [command], outputs, copyCheck: checkJoins(path, encoded, rate) };
  };
  const join = (encoded: readonly ConcatClip[]): Plan | PendingPlan => {
    const { clips: uniform, commands } = withUniformAudio(encoded, directory);
    if (commands.length === 0) return joinPlan(uniform);
    const decide = () => joinPlan(uniform);
    return { measure: commands, progressAfter: 0.97, outputs, decide, expected: decide };
  };
  const inChunks = planClipsInChunks(clips, outputs);
  return { ...encodeClips(clips, { outputs, join }), encoding: clips[0]?.encoding, clips, inChunks };
}

/**
 * The plan of clips that are encoded in chunks: their encodings. The audio of files whose audio format may change is decoded
 * first. If it does change, the plan needs an intermediate file.
 */
function planClipsInChunks(clips: readonly ClipEncoding[], outputs: PlannedOutput[]): Plan | PendingPlan {
  const encoding = clips[0]?.encoding;
  const plan = { commands: [], outputs, encoding, clips };
  const measure = clips.flatMap(({ file }) => {
    const audio = mainAudio(file.probe);
    return audio && mayChangeAudioFormat(file.probe) ? [decodeAudio(file, [audio])] : [];
  });
  if (measure.length === 0) return plan;
  const intermediate = encoding && { ...encoding, audioSource: { path: 'uniform-audio' } };
  return {
    measure,
    progressAfter: 0,
    outputs,
    encoding,
    clips,
    decide: (_, results) =>
      results.some(({ log = '' }) => audioFormatChanged(log)) ? { ...plan, encoding: intermediate } : plan,
    expected: () => plan,
  };
}

/** A run of ffmpeg that decodes twenty clips of 2160p at once takes 5 GB. */
const clipsDecodedAtOnce = 4;

function checkJoins(path: string, clips: readonly ConcatClip[], { fps }: FrameRate): CopyCheck {
  const starts = clips.map((_, index) => totalFrames(clips.slice(0, index)) / fps);
  const groups = starts.flatMap((_, index) =>
    index % clipsDecodedAtOnce === 0 ? [starts.slice(index, index + clipsDecodedAtOnce)] : [],
  );
  return {
    file: groups.map((group) => decodeSeams(path, group, { streams: ['v:0'], isTrusted: true })),
    otherwise() {
      throw new JobError('TRANSCODE_ERROR', 'The joined video does not decode where its inputs meet');
    },
  };
}

function outputFitAndRate(video: VideoStream, { width, height, fps, fit }: z.output<ReturnType<typeof parameters>>) {
  const isSizeSet = width !== undefined || height !== undefined;
  const { width: defaultWidth, height: defaultHeight } = evenSize(
    isSizeSet ? fitInside(video, { width, height }) : video,
  );
  const size = { width: width ?? defaultWidth, height: height ?? defaultHeight, fit };
  return { fit: size, rate: fps === undefined ? defaultRate(video) : exactRate(fps) };
}

/** The rate of the first input. One that is variable may show a still for long and move fast in between. */
function defaultRate(video: VideoStream): FrameRate {
  const rated = atOutputRate(video);
  return nearestConstantRate(isVariableRate(rated) ? constantFps(rated) : (rated.framesPerSecond ?? 30));
}
