import { type AudioFormat, mixToStereo } from '../../media/codecs/audio-codecs.ts';
import type { Command, CommandInput } from '../../media/ffmpeg/command.ts';
import type { Filter } from '../../media/filters/filter.ts';
import {
  correctVolumeChange,
  hasSeveralMeasurements,
  isOffsetLimited,
  type Loudness,
  type LoudnessTarget,
  measureLoudnessFilters,
  measureOffsetFilter,
  readDcOffset,
  readLoudness,
  removeOffsetFilter,
  type VolumeChange,
  type VolumeTrial,
  volumeChange,
  volumeFilters,
} from '../../media/filters/loudness.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireAudio } from '../../media/probe/streams.ts';
import { encodeAudio } from '../audio/audio-file.ts';
import { type MappedAudio, mapAudio } from '../audio/map-audio.ts';
import { uniformAudio } from '../audio/uniform-audio.ts';
import type { PendingPlan, Plan, PlanInput } from '../plan.ts';
import { copyVideoOrEncode } from '../video/copy-video.ts';

type Input = PlanInput<unknown, AudioFormat>;

type Normalization = {
  audio: AudioStream;
  target: LoudnessTarget;
  /** A uniform copy of the track that replaces the input's. */
  audioSource?: CommandInput;
  /** Set if a high pass removes a DC offset from the track: its loudness with the offset. */
  withOffset?: Loudness;
};

const losslessFormats: readonly AudioFormat[] = ['flac', 'wav'];
const audioOnlyFormats = ['mp3', 'm4a', 'opus', 'flac', 'wav'] as const;

/** What a lossy encoder may add to a peak, and what a measurement of 0.1 dB may hide. */
const headroomDb = { lossy: 1, lossless: 0.1 };

/**
 * Measures the track, then encodes it with one gain. If the limiter has to act, it encodes the audio alone first, and
 * corrects both by that. The video is copied where the format allows.
 */
export function encodeToLoudness(input: Input, target: LoudnessTarget): PendingPlan {
  return measureInput(input, { audio: requireAudio(input.probe), target });
}

function measureInput(input: Input, normalization: Normalization): PendingPlan {
  const { audio, audioSource } = normalization;
  const command = measureCommand({
    source: audioSource ?? { path: input.inputPath },
    audio: audioSource ? '0:a:0' : audio,
    filters: [...preparingFilters(normalization, input.format), measureOffsetFilter],
    durationSeconds: endSecondsOf(input.probe, [audio]),
  });
  return {
    measure: [command],
    progressAfter: audioSource ? 0.4 : 0.25,
    outputs: encode(input, normalization, []).outputs,
    decide: (log) =>
      hasSeveralMeasurements(log)
        ? measureUniformCopy(input, normalization)
        : normalize(input, normalization, readLoudness(log), readDcOffset(log)),
    expected: () => normalize(input, normalization, { ...usualLoudness, lufs: normalization.target.lufs }),
  };
}

/** Of a track that needs no limiter. */
const usualLoudness = { truePeakDbtp: -20, rangeLu: 5 };

/** The audio format changes within the track: the filter restarted and measured each stretch on its own. */
function measureUniformCopy(input: Input, normalization: Normalization): PendingPlan {
  const filters = downmixFilters(normalization.audio, input.format);
  const { command, audioSource } = uniformAudio(input, [normalization.audio], { filters });
  const { measure, ...rest } = measureInput(input, { ...normalization, audioSource });
  return { ...rest, measure: [command, ...measure] };
}

function normalize(
  input: Input,
  normalization: Normalization,
  measured: Loudness | undefined,
  dcOffset = 0,
): Plan | PendingPlan {
  // Silence has no loudness to normalize.
  if (measured === undefined) return encode(input, normalization, []);
  const { target, withOffset } = normalization;
  const measurements = named('input', withOffset ?? measured);
  const isLossless = losslessFormats.includes(input.format);
  const change = volumeChange(target, measured, headroomDb[isLossless ? 'lossless' : 'lossy']);
  if (withOffset === undefined && isOffsetLimited(dcOffset, change)) {
    return { ...measureInput(input, { ...normalization, withOffset: measured }), progressAfter: 0.4 };
  }
  const planWith = (final: VolumeChange): Plan => {
    const plan = encode(input, normalization, changeFilters(input, normalization, final));
    return { ...plan, measurements, outputMeasurement: outputMeasurement(input, plan) };
  };
  if (change.maxPeakDbtp === undefined) return planWith(change);
  return tryChange(input, normalization, { change, measured, trials: [], planWith });
}

/** Most sources need one. A source with rare, very high peaks needs more. */
const maxTrials = 3;
const trialProgress = [0.45, 0.6, 0.7];

/** Encodes the audio, measures the result, and corrects the change until the result meets the target. */
function tryChange(
  input: Input,
  normalization: Normalization,
  search: { change: VolumeChange; measured: Loudness; trials: VolumeTrial[]; planWith: (change: VolumeChange) => Plan },
): PendingPlan {
  const { format } = input;
  const { change, measured, planWith } = search;
  const filters = changeFilters(input, normalization, change);
  const trial = encodeTrack({ ...input, format: audioFormatOf(format) }, normalization, filters);
  const plan = planWith(change);
  return {
    measure: [...trial.commands, ...outputMeasurement(input, trial).measure],
    progressAfter: trialProgress[search.trials.length] ?? 0.75,
    outputs: plan.outputs,
    decide(log) {
      const result = readLoudness(log);
      if (result === undefined) return plan;
      const trials: [...VolumeTrial[], VolumeTrial] = [...search.trials, { change, result }];
      const corrected = correctVolumeChange(measured, normalization.target, trials);
      if (corrected !== undefined) {
        if (trials.length === maxTrials) return planWith(corrected);
        return tryChange(input, normalization, { ...search, change: corrected, trials });
      }
      if (!isAudioOnly(format)) return plan;
      const { outputMeasurement: _, ...finished } = plan;
      const measurements = { ...plan.measurements, ...named('output', result) };
      return { ...finished, commands: [], measurements };
    },
    expected: () => plan,
  };
}

function encode(input: Input, normalization: Normalization, audioFilters: Filter[]): Plan {
  const { format } = input;
  if (isAudioOnly(format)) return encodeTrack({ ...input, format }, normalization, audioFilters);
  const { audioSource } = normalization;
  return copyVideoOrEncode({ ...input, format }, { audioFilters, audioSource, audioBitrateKbps: kbps(input) });
}

function encodeTrack(input: Input, { audioSource }: Normalization, audioFilters: Filter[]): Plan {
  return encodeAudio(input, { bitrateKbps: kbps(input), audioFilters, audioSource });
}

function kbps({ isIntermediate }: Input): number {
  return isIntermediate ? 256 : 192;
}

function changeFilters({ format }: Input, normalization: Normalization, change: VolumeChange): Filter[] {
  const { sampleRateHz } = normalization.audio;
  return [...preparingFilters(normalization, format), ...volumeFilters(change, sampleRateHz)];
}

function preparingFilters({ audio, withOffset }: Normalization, format: AudioFormat): Filter[] {
  return [...downmixFilters(audio, format), ...(withOffset ? [removeOffsetFilter] : [])];
}

/** The downmix of a lossy format changes the loudness, so downmix before measuring. */
function downmixFilters(audio: AudioStream, format: AudioFormat): Filter[] {
  return audio.channels > 2 && !losslessFormats.includes(format) ? [mixToStereo(audio)] : [];
}

function isAudioOnly(format: AudioFormat): format is (typeof audioOnlyFormats)[number] {
  return audioOnlyFormats.some((each) => each === format);
}

function audioFormatOf(format: AudioFormat): AudioFormat {
  if (isAudioOnly(format)) return format;
  return format === 'webm' ? 'opus' : 'm4a';
}

type Measured = Pick<Command, 'durationSeconds'> & { source: CommandInput; audio: MappedAudio; filters?: Filter[] };

function measureCommand({ source, audio, filters = [], durationSeconds }: Measured): Command {
  const all = [...filters, ...measureLoudnessFilters];
  return {
    inputs: [source],
    outputArguments: [...mapAudio(audio, { filters: all }), '-f', 'null', '-'],
    durationSeconds,
  };
}

/** Measures the finished file: a lossy encoder changes the peaks. */
function outputMeasurement({ outputDirectory }: Input, { outputs: [output] }: Plan) {
  if (output === undefined) throw new TypeError('Expected one output of a normalization, found none');
  const { filename, expectation } = output;
  return {
    measure: [
      measureCommand({
        source: { path: `${outputDirectory}/${filename}`, isTrusted: true },
        audio: '0:a:0',
        durationSeconds: expectation?.durationSeconds,
      }),
    ],
    read: (log: string): Record<string, number> => {
      const loudness = readLoudness(log);
      return loudness ? named('output', loudness) : {};
    },
  };
}

function named(role: 'input' | 'output', { lufs, truePeakDbtp, rangeLu }: Loudness): Record<string, number> {
  return { [`${role}Lufs`]: lufs, [`${role}TruePeak`]: truePeakDbtp, [`${role}LoudnessRange`]: rangeLu };
}
