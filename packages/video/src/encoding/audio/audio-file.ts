import {
  type AudioFormat,
  audioCodecArguments,
  fillAudioGaps,
  mixChannels,
  outputChannels,
  probedAudioCodec,
} from '../../media/codecs/audio-codecs.ts';
import { imageColors } from '../../media/codecs/video-codecs.ts';
import { filter } from '../../media/filters/filter.ts';
import { videoFilters } from '../../media/filters/video-filters.ts';
import { containerArguments } from '../../media/formats.ts';
import { roundedSize, shrinkInto } from '../../media/frame-size.ts';
import { endSecondsOf, requireAudio, requireImage } from '../../media/probe/streams.ts';
import type { AudioOptions } from '../encoding.ts';
import { dropOtherStreams, languageArguments, outputFile } from '../options.ts';
import type { MediaFile, Plan, PlanInput } from '../plan.ts';
import { imageCommand } from '../still-image.ts';
import { mapAudio, selectAudioTracks } from './map-audio.ts';

/** Ogg keeps the first timestamp, and a track that starts late would seem to last from 0 s to its end. */
const startAtZero = filter('asetpts', 'PTS-STARTPTS');

/** Podcast directories take up to so many pixels for each side. */
const maxCoverPixels = 3000;

/** A command that writes the cover of an audio file as a JPEG, and the arguments that attach it as input 1. */
function attachCover(input: PlanInput<unknown, AudioFormat>, { path, probe }: MediaFile) {
  const video = requireImage(probe);
  const scale = roundedSize(shrinkInto(video, { width: maxCoverPixels, height: maxCoverPixels }));
  const file = `${input.outputDirectory}/cover.jpg`;
  const filters = videoFilters(video, { scale, ...imageColors('jpg') });
  const outputArguments = [...dropOtherStreams, ...containerArguments('jpg'), file];
  return {
    command: imageCommand(video, { inputPath: path, filters, format: 'jpg', outputArguments }),
    source: { path: file, isTrusted: true as const },
    attachment: [
      ...['-map', '1:0', '-c:v', 'copy', '-disposition:v', 'attached_pic'],
      ...['-metadata:s:v', 'comment=Cover (front)'],
    ],
  };
}

type AudioFile = Pick<AudioOptions, 'audioFilters' | 'audioSource' | 'channels' | 'audioTracks'> & {
  bitrateKbps: number;
  tags?: Readonly<Record<string, string | undefined>> | undefined;
  cover?: MediaFile | undefined;
};

export function encodeAudio(
  input: PlanInput<unknown, AudioFormat>,
  { bitrateKbps, audioFilters = [], audioSource, channels, audioTracks, tags, cover }: AudioFile,
): Plan {
  const [audio = requireAudio(input.probe)] = selectAudioTracks(input.probe, audioTracks);
  const { format } = input;
  const layout = { format, channels };
  const endSeconds = endSecondsOf(input.probe, [audio]);
  const { output, path } = outputFile(input, {
    durationSeconds: audio.durationSeconds ?? endSeconds,
    audio: {
      codec: probedAudioCodec(layout, audio),
      ...(channels === 'source' && { channels: outputChannels(audio, layout) }),
    },
  });
  const filters = [
    fillAudioGaps,
    ...(format === 'opus' ? [startAtZero] : []),
    ...audioFilters,
    ...mixChannels(audio, layout),
  ];
  const attached = cover && attachCover(input, cover);
  const outputArguments = [
    ...mapAudio(audioSource ? '0:a:0' : audio, { filters }),
    ...audioCodecArguments(audio, { ...layout, bitrateKbps }),
    ...languageArguments('a', [audio], format),
    ...(attached?.attachment ?? ['-vn']),
    ...dropOtherStreams,
    ...Object.entries(tags ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : ['-metadata', `${name}=${value}`],
    ),
    // Every player reads version 3.
    ...(format === 'mp3' && (tags ?? cover) !== undefined ? ['-id3v2_version', '3'] : []),
    ...containerArguments(format),
    path,
  ];
  const inputs = [audioSource ?? { path: input.inputPath }, ...(attached ? [attached.source] : [])];
  const command = { inputs, outputArguments, durationSeconds: endSeconds };
  return { commands: [...(attached ? [attached.command] : []), command], outputs: [output] };
}
