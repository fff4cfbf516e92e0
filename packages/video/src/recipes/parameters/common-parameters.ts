import * as z from 'zod';
import { type AudioCodec, audioCodecs, audioCodecsByFormat, channelChoices } from '../../media/codecs/audio-codecs.ts';
import {
  codecsByFormat,
  defaultCrf,
  maxBitrateKbps,
  maxCrf,
  type Profile,
  type ProResProfile,
  presets,
  profilesByCodec,
  proResProfiles,
  type VideoCodec,
  videoCodecs,
} from '../../media/codecs/video-codecs.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { deinterlaceRates } from '../../media/frame-rate.ts';
import { integer, number } from '../../values.ts';
import { maxUrlCharacters, type ParameterConflict, type ValueLabel } from '../recipe.ts';

/** Labels of CRF values. They describe x264; the same value of another encoder looks better. */
export const crfLabels: ValueLabel[] = [
  { max: 17, label: 'Looks like the source, large file' },
  { max: 23, label: 'Hard to tell from the source' },
  { max: 28, label: 'Good, and much smaller' },
  { max: 35, label: 'Small, with visible loss' },
  { label: 'Very small, rough' },
];

export const codecParameter = () =>
  z.enum(videoCodecs).optional().meta({ description: 'Video codec. Default: VP9 in webm, otherwise H.264.' });

export const crfParameter = () =>
  number(1, 63)
    .optional()
    .meta({
      'x-value-labels': crfLabels,
      description: `Constant quality; lower looks better and is larger. Up to 51 for h264 and h265, 63 for vp9 and av1. Default: ${defaultsOf(defaultCrf)}, which score about VMAF 93 on camera footage.`,
    });

/** Such as `h264 23, h265 25`. */
export function defaultsOf(values: Record<VideoCodec, number | string>): string {
  return videoCodecs.map((codec) => `${codec} ${values[codec]}`).join(', ');
}

export const presetParameter = () => z.enum(presets);

type EncoderChoice = CodecChoice & {
  bitrate?: number | undefined;
  maxrate?: number | undefined;
  targetSizeMb?: number | undefined;
  gop?: number | undefined;
  profile?: Profile | ProResProfile | undefined;
  background?: string | undefined;
};

/** Errors of settings that the encoder of the codec does not have. */
export function encoderConflicts(choice: EncoderChoice, format: VideoFormat): ParameterConflict[] {
  const codec = chosenCodec(choice, format);
  const { profile, bitrate, maxrate, targetSizeMb, gop, background } = choice;
  const accepted = profilesByCodec[codec];
  const maxKbps = maxBitrateKbps[codec];
  const wrongProfile = profile !== undefined && !accepted.some((name) => name === profile);
  const list = accepted.length === 0 ? 'no profile' : accepted.join(', ');
  return [
    ...(wrongProfile ? [{ path: 'recipe.profile', message: `${codec} takes ${list}, not ${profile}` }] : []),
    ...(codec === 'av1' && bitrate !== undefined && maxrate !== undefined
      ? [{ path: 'recipe.maxrate', message: 'av1 takes maxrate with crf, not with bitrate' }]
      : []),
    ...((maxrate ?? 0) > maxKbps
      ? [{ path: 'recipe.maxrate', message: `The highest maxrate of ${codec} is ${maxKbps} kbit/s` }]
      : []),
    // ffmpeg forces each keyframe of this interval, which SVT-AV1 supports at constant quality only.
    ...(codec === 'av1' && gop === 1 && (bitrate ?? targetSizeMb) !== undefined
      ? [{ path: 'recipe.gop', message: 'av1 takes gop 1 with crf, not with bitrate or targetSizeMb' }]
      : []),
    ...(background === 'keep' && codec !== 'vp9'
      ? [{ path: 'recipe.background', message: `${codec} has no transparency: choose vp9, or prores in mov` }]
      : []),
  ];
}

/** Options of `transcode` that ProRes does not have: its profile determines quality and size. */
const optionsWithoutProRes = ['crf', 'targetVmaf', 'targetSizeMb', 'bitrate', 'maxrate', 'preset', 'gop', 'audioCodec'];

/** Errors of a choice of ProRes. */
export function proResConflicts(
  choice: { profile?: Profile | ProResProfile | undefined } & Record<string, unknown>,
  format: VideoFormat,
): ParameterConflict[] {
  const { profile } = choice;
  const isForeign = profile !== undefined && !proResProfiles.some((name) => name === profile);
  return [
    ...(format === 'mov' ? [] : [{ path: 'recipe.codec', message: `prores takes the format mov, not ${format}` }]),
    ...(isForeign
      ? [{ path: 'recipe.profile', message: `prores takes ${proResProfiles.join(', ')}, not ${profile}` }]
      : []),
    ...optionsWithoutProRes
      .filter((name) => choice[name] !== undefined)
      .map((name) => ({ path: `recipe.${name}`, message: `prores has no ${name}: choose a profile` })),
  ];
}

type CodecChoice = { codec?: VideoCodec | undefined; crf?: number | undefined };

/** The requested codec, else the default of the format. */
export function chosenCodec({ codec }: CodecChoice, format: VideoFormat): VideoCodec {
  return codec ?? codecsByFormat[format][0];
}

/** The codec of a choice, and its crf unless another parameter decides about the quality. */
export function withCodecDefaults(
  { crf, ...choice }: EncoderChoice & { targetVmaf?: number | undefined },
  format: VideoFormat,
) {
  const codec = chosenCodec(choice, format);
  const hasOther = (choice.targetVmaf ?? choice.bitrate ?? choice.targetSizeMb) !== undefined;
  return { codec, ...(hasOther ? {} : { crf: crf ?? defaultCrf[codec] }) };
}

/** Errors of the codec in this format, or of the crf with this codec. */
export function codecConflicts(choice: CodecChoice, format: VideoFormat): ParameterConflict[] {
  const codecs = codecsByFormat[format];
  const codec = chosenCodec(choice, format);
  if (!codecs.includes(codec)) {
    return [{ path: 'recipe.codec', message: `The format ${format} takes ${codecs.join(', ')}, not ${codec}` }];
  }
  if ((choice.crf ?? 0) <= maxCrf[codec]) return [];
  return [{ path: 'recipe.crf', message: `The highest crf of ${codec} is ${maxCrf[codec]}` }];
}

/** A parameter with the URL of an asset, a file besides the inputs. `description` names the file. */
export function assetUrl(description: string) {
  return z
    .string()
    .min(1)
    .max(maxUrlCharacters)
    .meta({ format: 'uri', description: `${description} An http or https URL, or the \`inputUrl\` of an upload.` });
}

export const subtitlesUrl = () => assetUrl('Subtitle file: SRT, ASS or WebVTT in UTF-8 or UTF-16; at most 10 MB.');

export const deinterlaceParameter = () =>
  z.enum(deinterlaceRates).optional().meta({
    description:
      'Frames of an interlaced video: field makes one of each field, as smooth as on television (50i becomes 50p); frame makes one of two fields (50i becomes 25p). Default: field.',
  });

export const backgroundParameter = () =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'Must be # and six hexadecimal digits')
    .optional()
    .meta({
      description:
        'Color behind a transparent input, as #rrggbb, where the output has no transparency. Default: #ffffff, white.',
    });

export const channelsParameter = () =>
  z.enum(channelChoices).default('stereo').meta({
    description:
      'stereo: at most two channels, which plays everywhere. source: surround stays surround, up to 5.1, with as much bit rate for each pair of channels; not in mp3.',
  });

export const audioCodecParameter = () =>
  z
    .enum(audioCodecs)
    .optional()
    .meta({ description: 'Audio codec: aac, E-AC-3 or Opus. Default: Opus in webm, otherwise AAC.' });

/** Errors of the audio codec in this format. */
export function audioCodecConflicts(
  { audioCodec }: { audioCodec?: AudioCodec | undefined },
  format: VideoFormat,
): ParameterConflict[] {
  const accepted = audioCodecsByFormat[format];
  if (audioCodec === undefined || accepted.includes(audioCodec)) return [];
  const message = `The format ${format} takes ${accepted.join(', ')}, not ${audioCodec}`;
  return [{ path: 'recipe.audioCodec', message }];
}

export const audioBitrateParameter = () =>
  integer(32, 320)
    .default(128)
    .meta({ description: 'Audio bit rate in kbit/s. No audio gets more than its source has.' });

const maxAudioTracks = 8;

/** A language of BCP 47 with a script, a region, or both. */
export const languagePattern = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;

export const languageMessage = 'Must be the code of a language, such as en, pt-BR or zh-Hant';

export function audioTracksParameter(byDefault: 'all' | 'main') {
  const kept =
    byDefault === 'all'
      ? 'all tracks'
      : 'the default track, else the first; of mono PCM tracks in MXF or MOV, the first two as one stereo track';
  return z
    .array(integer(0, 63))
    .min(1)
    .max(maxAudioTracks)
    .refine((list) => new Set(list).size === list.length, 'Must not have a value twice')
    .optional()
    .meta({
      description: `1 to ${maxAudioTracks} audio tracks to keep, in this order: indexes from 0 among the audio tracks of the input. The first becomes the default track. Default: ${kept}.`,
    });
}
