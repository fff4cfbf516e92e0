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
import type { Format } from '../../../media/formats.ts';
import type { AudioStream } from '../../../media/probe/probe.ts';
import { endSecondsOf, requireAudio } from '../../../media/probe/streams.ts';
import { defineRecipe } from '../../recipe.ts';

const soundFormats: readonly Format[] = ['mp3', 'm4a', 'opus', 'flac', 'wav'] satisfies AudioFormat[];
const keepsAllChannels: readonly Format[] = ['flac', 'wav'];

export const normalizeAudio = defineRecipe({
  name: 'normalize-audio',
  title: 'Normalize audio',
  description:
    'Brings the sound to a loudness after EBU R 128, in two passes: one that listens, one that changes the volume. The measurements of the job say how loud it was, and has become. The picture of a video stays as it is wherever the output format allows; a sound format leaves it out.',
  formats: ['mp4', 'mov', 'mkv', 'webm', 'mp3', 'm4a', 'opus', 'flac', 'wav'],
  comparison: 'same-time',
  parameters: z.strictObject({
    targetLufs: z.number().min(-70).max(-5).default(-16).meta({
      description:
        'Integrated loudness in LUFS: -23 for European television, -16 for podcasts, -14 for music services.',
    }),
    truePeak: z.number().min(-9).max(0).default(-1.5).meta({
      description:
        'Highest true peak in dBTP; where the volume alone would pass it, the loudest moments are held down.',
    }),
    loudnessRange: z.number().min(1).max(50).default(11).meta({
      description: 'Loudness range in LU, for a sound that cannot be changed by its volume alone.',
    }),
  }),
  example: { output: { format: 'm4a' }, recipe: { name: 'normalize-audio', targetLufs: -16 } },
  plan(input) {
    const { targetLufs: lufs, truePeak: truePeakDbtp, loudnessRange: rangeLu } = input.parameters;
    const target = { lufs, truePeakDbtp, rangeLu };
    return listen(input, { audio: requireAudio(input.probe), target });
  },
});

type Wish = {
  audio: AudioStream;
  target: LoudnessTarget;
  /** The copy that is listened to and changed in place of the input's sound. */
  audioSource?: CommandInput;
};

function listen(input: PlanInput<unknown>, wish: Wish): PendingPlan {
  const { audio, target, audioSource } = wish;
  const filters = [...heardAs(audio, input.format), measureLoudnessFilter(target)].join(',');
  const command: Command = {
    inputs: [audioSource ?? { path: input.inputPath }],
    outputArguments: [
      ...['-map', audioSource ? '0:a:0' : `0:${audio.index}`],
      ...['-af', filters, '-f', 'null', '-'],
    ],
    durationSeconds: audio.durationSeconds ?? endSecondsOf(input.probe, [audio]),
  };
  const share = isSound(input.format) ? 0.5 : 0.3;
  return {
    measure: [command],
    progressAfter: audioSource ? share + 0.2 : share,
    outputs: changed(input, wish, []).outputs,
    decide: (log) => (hasSeveralMeasurements(log) ? listenAgain(input, wish) : decided(input, wish, log)),
  };
}

/** Makes a copy that a filter can hear from beginning to end. */
function listenAgain(input: PlanInput<unknown>, wish: Wish): PendingPlan {
  const filters = heardAs(wish.audio, input.format);
  const { command, audioSource } = uniformAudio(input, wish.audio, { filters });
  const { measure, ...listening } = listen(input, { ...wish, audioSource });
  return { ...listening, measure: [command, ...measure] };
}

function decided(input: PlanInput<unknown>, wish: Wish, log: string): Plan {
  const measured = readLoudness(log);
  // Silence has no loudness, and stays silence.
  if (measured === undefined) return changed(input, wish, []);
  const { input_i: inputLufs, input_tp: inputTruePeak } = measured;
  const filters = [...heardAs(wish.audio, input.format), normalizeLoudnessFilter(wish.target, measured)];
  const plan = changed(input, wish, filters);
  return {
    ...plan,
    measurements: { inputLufs, inputTruePeak },
    outputMeasurement: measureOutputLoudness(input, plan),
  };
}

/** The filter computes at 192 kHz and leaves it at that. */
function changed(input: PlanInput<unknown>, { audio, audioSource }: Wish, filters: string[]): Plan {
  const audioFilters = filters.length === 0 ? [] : [...filters, `aresample=${audio.sampleRateHz}`];
  const change = { audioFilters, ...(audioSource ? { audioSource } : {}) };
  const bitrateKbps = input.isIntermediate ? 256 : 192;
  if (isSound(input.format)) return encodeAudio(input, { bitrateKbps, ...change });
  return copyVideoOrEncode(input, change);
}

/** Mixed down before it is measured where it will be: the mix is louder or softer than the channels that it is made of. */
function heardAs({ channels }: AudioStream, format: Format): string[] {
  return channels > 2 && !keepsAllChannels.includes(format) ? ['aformat=channel_layouts=stereo'] : [];
}

function isSound(format: Format): boolean {
  return soundFormats.includes(format);
}

/** Listens to the sound that was made: an encoder that leaves things out moves the peaks a little. */
export function measureOutputLoudness(
  { outputDirectory }: Pick<PlanInput<unknown>, 'outputDirectory'>,
  { outputs: [output] }: Plan,
): OutputMeasurement {
  if (output === undefined) throw new TypeError('A sound is in one file');
  const { filename, expectation } = output;
  return {
    command: {
      inputs: [{ path: `${outputDirectory}/${filename}`, isTrusted: true }],
      outputArguments: ['-map', '0:a:0', '-af', outputLoudnessFilter, '-f', 'null', '-'],
      durationSeconds: expectation?.durationSeconds,
    },
    read(log): Record<string, number> {
      const reached = readOutputLoudness(log);
      return reached ? { outputLufs: reached.lufs, outputTruePeak: reached.truePeak } : {};
    },
  };
}
