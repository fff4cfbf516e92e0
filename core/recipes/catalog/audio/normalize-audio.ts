import * as z from 'zod';
import { encodeAudio } from '../../../encoding/audio/encode-audio.ts';
import { uniformAudio } from '../../../encoding/audio/uniform-audio.ts';
import type { OutputMeasurement, PendingPlan, Plan, PlanInput } from '../../../encoding/plan.ts';
import { copyVideoOrEncode } from '../../../encoding/video/copy-video.ts';
import type { AudioFormat } from '../../../media/codecs/audio-codecs.ts';
import type { Command, CommandInput } from '../../../media/ffmpeg/command.ts';
import {
  hasSeveralMeasurements,
  type LoudnessTarget,
  measureLoudnessFilter,
  normalizeLoudnessFilter,
  outputLoudnessFilter,
  readLoudness,
  readOutputLoudness,
} from '../../../media/filters/loudness.ts';
import type { AudioStream } from '../../../media/probe/probe.ts';
import { endSecondsOf, requireAudio } from '../../../media/probe/streams.ts';
import { defineRecipe } from '../../recipe.ts';

const audioOnlyFormats = ['mp3', 'm4a', 'opus', 'flac', 'wav'] as const;

export const normalizeAudio = defineRecipe({
  name: 'normalize-audio',
  title: 'Normalize audio',
  description:
    'Normalizes the audio to a loudness by EBU R 128 in two passes: the first measures, the second changes the volume. The measurements of the job hold the loudness before and after. The video stream is copied where the output format allows; an audio format leaves it out.',
  formats: ['mp4', 'mov', 'mkv', 'webm', 'mp3', 'm4a', 'opus', 'flac', 'wav'],
  comparison: 'same-time',
  parameters: z.strictObject({
    targetLufs: z.number().min(-70).max(-5).default(-16).meta({
      description:
        'Integrated loudness in LUFS: -23 for European television, -16 for podcasts, -14 for music services.',
    }),
    truePeak: z.number().min(-9).max(0).default(-1.5).meta({
      description:
        'Maximum true peak in dBTP. Where a change of volume would exceed it, the peaks are compressed.',
    }),
    loudnessRange: z.number().min(1).max(50).default(11).meta({
      description: 'Loudness range in LU, for audio that a change of volume alone cannot normalize.',
    }),
  }),
  example: { output: { format: 'm4a' }, recipe: { name: 'normalize-audio', targetLufs: -16 } },
  plan(input) {
    const { targetLufs: lufs, truePeak: truePeakDbtp, loudnessRange: rangeLu } = input.parameters;
    const target = { lufs, truePeakDbtp, rangeLu };
    return measureLoudness(input, { audio: requireAudio(input.probe), target });
  },
});

type Input = PlanInput<unknown, AudioFormat>;

type Normalization = {
  audio: AudioStream;
  target: LoudnessTarget;
  /** A uniform copy of the track that replaces the input's. */
  audioSource?: CommandInput;
};

function measureLoudness(input: Input, normalization: Normalization): PendingPlan {
  const { audio, target, audioSource } = normalization;
  const filters = [...downmixFilters(audio, input.format), measureLoudnessFilter(target)].join(',');
  const command: Command = {
    inputs: [audioSource ?? { path: input.inputPath }],
    outputArguments: [
      ...['-map', audioSource ? '0:a:0' : `0:${audio.index}`],
      ...['-af', filters, '-f', 'null', '-'],
    ],
    durationSeconds: audio.durationSeconds ?? endSecondsOf(input.probe, [audio]),
  };
  const share = isAudioOnly(input.format) ? 0.5 : 0.3;
  return {
    measure: [command],
    progressAfter: audioSource ? share + 0.2 : share,
    outputs: encode(input, normalization, []).outputs,
    decide: (log) =>
      hasSeveralMeasurements(log)
        ? measureUniformCopy(input, normalization)
        : normalize(input, normalization, log),
  };
}

/** The audio format changes within the track: loudnorm restarted and measured each stretch on its own. */
function measureUniformCopy(input: Input, normalization: Normalization): PendingPlan {
  const filters = downmixFilters(normalization.audio, input.format);
  const { command, audioSource } = uniformAudio(input, normalization.audio, { filters });
  const { measure, ...rest } = measureLoudness(input, { ...normalization, audioSource });
  return { ...rest, measure: [command, ...measure] };
}

function normalize(input: Input, normalization: Normalization, log: string): Plan {
  const measured = readLoudness(log);
  // Silence has no loudness to normalize.
  if (measured === undefined) return encode(input, normalization, []);
  const { input_i: inputLufs, input_tp: inputTruePeak } = measured;
  const filters = [
    ...downmixFilters(normalization.audio, input.format),
    normalizeLoudnessFilter(normalization.target, measured),
  ];
  const plan = encode(input, normalization, filters);
  return {
    ...plan,
    measurements: { inputLufs, inputTruePeak },
    outputMeasurement: measureOutputLoudness(input, plan),
  };
}

/** loudnorm works at 192 kHz and outputs that rate: resample to the rate of the source. */
function encode(input: Input, { audio, audioSource }: Normalization, filters: string[]): Plan {
  const audioFilters = filters.length === 0 ? [] : [...filters, `aresample=${audio.sampleRateHz}`];
  const change = { audioFilters, audioSource };
  const bitrateKbps = input.isIntermediate ? 256 : 192;
  const { format } = input;
  if (isAudioOnly(format)) return encodeAudio({ ...input, format }, { bitrateKbps, ...change });
  return copyVideoOrEncode({ ...input, format }, change);
}

/** The downmix of a lossy format changes the loudness, so downmix before measuring. */
function downmixFilters({ channels }: AudioStream, format: AudioFormat): string[] {
  return channels > 2 && format !== 'flac' && format !== 'wav' ? ['aformat=channel_layouts=stereo'] : [];
}

function isAudioOnly(format: AudioFormat): format is (typeof audioOnlyFormats)[number] {
  return audioOnlyFormats.some((each) => each === format);
}

/** Measures the finished file: a lossy encoder changes the peaks. */
function measureOutputLoudness(
  { outputDirectory }: Pick<PlanInput<unknown>, 'outputDirectory'>,
  { outputs: [output] }: Plan,
): OutputMeasurement {
  if (output === undefined) throw new TypeError('Expected one output of normalize-audio, found none');
  const { filename, expectation } = output;
  return {
    command: {
      inputs: [{ path: `${outputDirectory}/${filename}`, isTrusted: true }],
      outputArguments: ['-map', '0:a:0', '-af', outputLoudnessFilter, '-f', 'null', '-'],
      durationSeconds: expectation?.durationSeconds,
    },
    read(log): Record<string, number> {
      const loudness = readOutputLoudness(log);
      return loudness ? { outputLufs: loudness.lufs, outputTruePeak: loudness.truePeakDbtp } : {};
    },
  };
}
