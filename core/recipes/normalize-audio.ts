import * as z from 'zod';
import type { SoundFormat } from '../media/audio-codecs.ts';
import type { Command, CommandInput } from '../media/command.ts';
import type { Format } from '../media/formats.ts';
import {
  applyLoudness,
  isHeardInParts,
  type LoudnessTarget,
  measureLoudness,
  readLoudness,
} from '../media/loudness.ts';
import type { AudioStream } from '../media/probe.ts';
import { endOf, requireAudio } from '../media/streams.ts';
import { encodeSound } from './encode-sound.ts';
import { evenSound } from './even-sound.ts';
import { keepPicture } from './keep-picture.ts';
import { defineRecipe, type Measurement, type Plan, type PlanInput } from './recipe.ts';
import { reviewSound } from './review-sound.ts';

const soundFormats: readonly Format[] = ['mp3', 'm4a', 'opus', 'flac', 'wav'] satisfies SoundFormat[];
const keepsAllChannels: readonly Format[] = ['flac', 'wav'];

export const normalizeAudio = defineRecipe({
  name: 'normalize-audio',
  title: 'Normalize audio',
  description:
    'Brings the sound to a loudness after EBU R 128, in two passes: one that listens, one that changes the volume. The measurements of the job say how loud it was, and has become. The picture of a video stays as it is wherever the output format allows; a sound format leaves it out.',
  formats: ['mp4', 'mov', 'mkv', 'webm', 'mp3', 'm4a', 'opus', 'flac', 'wav'],
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
    const { targetLufs: lufs, truePeak, loudnessRange: range } = input.parameters;
    const target = { lufs, truePeak, range };
    return listen(input, { audio: requireAudio(input.probe), target });
  },
});

type Wish = {
  audio: AudioStream;
  target: LoudnessTarget;
  /** The copy that is listened to and changed in place of the input's sound. */
  soundFrom?: CommandInput;
};

function listen(input: PlanInput<unknown>, wish: Wish): Measurement {
  const { audio, target, soundFrom } = wish;
  const filters = [...heardAs(audio, input.format), measureLoudness(target)].join(',');
  const command: Command = {
    inputs: [soundFrom ?? { path: input.inputPath }],
    outputArguments: [
      ...['-map', soundFrom ? '0:a:0' : `0:${audio.index}`],
      ...['-af', filters, '-f', 'null', '-'],
    ],
    durationSeconds: audio.durationSeconds ?? endOf(input.probe, [audio]),
  };
  const share = isSound(input.format) ? 0.5 : 0.3;
  return {
    measure: [command],
    progressTo: soundFrom ? share + 0.2 : share,
    outputs: changed(input, wish, []).outputs,
    decide: (log) => (isHeardInParts(log) ? listenAgain(input, wish) : decided(input, wish, log)),
  };
}

/** Makes a copy that a filter can hear from beginning to end. */
function listenAgain(input: PlanInput<unknown>, wish: Wish): Measurement {
  const filters = heardAs(wish.audio, input.format);
  const { command, soundFrom } = evenSound(input, wish.audio, { filters });
  const { measure, ...listening } = listen(input, { ...wish, soundFrom });
  return { ...listening, measure: [command, ...measure] };
}

function decided(input: PlanInput<unknown>, wish: Wish, log: string): Plan {
  const measured = readLoudness(log);
  // Silence has no loudness, and stays silence.
  if (measured === undefined) return changed(input, wish, []);
  const { input_i: inputLufs, input_tp: inputTruePeak } = measured;
  const filters = [...heardAs(wish.audio, input.format), applyLoudness(wish.target, measured)];
  const plan = changed(input, wish, filters);
  return { ...plan, measurements: { inputLufs, inputTruePeak }, review: reviewSound(input, plan) };
}

/** The filter computes at 192 kHz and leaves it at that. */
function changed(input: PlanInput<unknown>, { audio, soundFrom }: Wish, filters: string[]): Plan {
  const soundFilters = filters.length === 0 ? [] : [...filters, `aresample=${audio.sampleRateHz}`];
  const change = { soundFilters, ...(soundFrom ? { soundFrom } : {}) };
  const bitrateKbps = input.isPassing ? 256 : 192;
  if (isSound(input.format)) return encodeSound(input, { bitrateKbps, ...change });
  return keepPicture(input, change);
}

/** Mixed down before it is measured where it will be: the mix is louder or softer than the channels that it is made of. */
function heardAs({ channels }: AudioStream, format: Format): string[] {
  return channels > 2 && !keepsAllChannels.includes(format) ? ['aformat=channel_layouts=stereo'] : [];
}

function isSound(format: Format): boolean {
  return soundFormats.includes(format);
}
