import * as z from 'zod';
import type { SoundFormat } from '../media/audio-codecs.ts';
import type { Format } from '../media/formats.ts';
import {
  applyLoudness,
  type LoudnessTarget,
  type MeasuredLoudness,
  measureLoudness,
  readLoudness,
} from '../media/loudness.ts';
import type { AudioStream } from '../media/probe.ts';
import { endOf, requireAudio } from '../media/streams.ts';
import { encodeSound } from './encode-sound.ts';
import { keepPicture } from './keep-picture.ts';
import { defineRecipe, type Plan, type PlanInput } from './recipe.ts';

const soundFormats: readonly Format[] = ['mp3', 'm4a', 'opus', 'flac', 'wav'] satisfies SoundFormat[];
const keepsAllChannels: readonly Format[] = ['flac', 'wav'];

export const normalizeAudio = defineRecipe({
  name: 'normalize-audio',
  title: 'Normalize audio',
  description:
    'Brings the sound to a loudness after EBU R 128, in two passes: one that listens, one that changes the volume. The picture of a video stays as it is wherever the output format allows; a sound format leaves it out.',
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
    const audio = requireAudio(input.probe);
    const durationSeconds = audio.durationSeconds ?? endOf(input.probe, [audio]);
    const listen = [...heardAs(audio, input.format), measureLoudness(target)].join(',');
    return {
      measure: [
        {
          inputs: [{ path: input.inputPath }],
          outputArguments: ['-map', `0:${audio.index}`, '-af', listen, '-f', 'null', '-'],
          ...(durationSeconds === undefined ? {} : { durationSeconds }),
        },
      ],
      progressTo: isSound(input.format) ? 0.5 : 0.3,
      outputs: changed(input, audio, []).outputs,
      decide: (log) => decided(input, { audio, target, measured: readLoudness(log) }),
    };
  },
});

type Heard = { audio: AudioStream; target: LoudnessTarget; measured: MeasuredLoudness | undefined };

function decided(input: PlanInput<unknown>, { audio, target, measured }: Heard): Plan {
  // Silence has no loudness, and stays silence.
  if (measured === undefined) return changed(input, audio, []);
  const { input_i: inputLufs, input_tp: inputTruePeak } = measured;
  return {
    ...changed(input, audio, [...heardAs(audio, input.format), applyLoudness(target, measured)]),
    measurements: { inputLufs, inputTruePeak },
  };
}

/** The filter computes at 192 kHz and leaves it at that. */
function changed(input: PlanInput<unknown>, { sampleRateHz }: AudioStream, filters: string[]): Plan {
  const soundFilters = filters.length === 0 ? [] : [...filters, `aresample=${sampleRateHz}`];
  if (isSound(input.format)) return encodeSound(input, { bitrateKbps: 192, soundFilters });
  return keepPicture(input, { soundFilters });
}

/** Mixed down before it is measured where it will be: the mix is louder or softer than the channels that it is made of. */
function heardAs({ channels }: AudioStream, format: Format): string[] {
  return channels > 2 && !keepsAllChannels.includes(format) ? ['aformat=channel_layouts=stereo'] : [];
}

function isSound(format: Format): boolean {
  return soundFormats.includes(format);
}
