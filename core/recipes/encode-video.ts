import { audioCodecArguments, probedAudioCodec } from '../media/audio-codecs.ts';
import { containerArguments, formats, type VideoFormat } from '../media/formats.ts';
import type { AudioStream, VideoStream } from '../media/probe.ts';
import type { Size } from '../media/size.ts';
import { mainAudio, requireMovingPicture } from '../media/streams.ts';
import {
  type Preset,
  probedCodecs,
  type Quality,
  type VideoCodec,
  videoCodecArguments,
} from '../media/video-codecs.ts';
import { type PictureChange, videoFilters } from '../media/video-filters.ts';
import type { Plan, PlanInput } from './recipe.ts';

export type VideoEncoding = {
  codec: VideoCodec;
  quality: Quality;
  preset?: Preset;
  audioBitrateKbps: number;
  picture: PictureChange;
  /** Seconds of the input to keep; all of it where left out. */
  range?: { start: number; end: number };
};

/** A plan of one command that encodes the input's picture, and its sound where it has any, into one file. */
export function encodeVideo(input: PlanInput<unknown>, encoding: VideoEncoding): Plan {
  const { video, durationSeconds: whole } = requireMovingPicture(input.probe);
  const audio = mainAudio(input.probe);
  const format = input.format as VideoFormat;
  const filename = `output.${format}`;
  const { range } = encoding;
  const durationSeconds = range ? range.end - range.start : whole;
  const outputArguments = [
    ...pictureArguments(video, { format, encoding }),
    ...(audio ? soundArguments(audio, { format, bitrateKbps: encoding.audioBitrateKbps }) : []),
    ...withoutTheRest,
    ...containerArguments(format),
    `${input.outputDirectory}/${filename}`,
  ];
  return {
    commands: [
      { inputs: [{ path: input.inputPath, options: seek(range) }], outputArguments, durationSeconds },
    ],
    outputs: [
      {
        name: 'output',
        filename,
        format,
        mimeType: formats[format].mimeType,
        expectation: {
          durationSeconds,
          video: { codec: probedCodecs[encoding.codec], ...finalSize(encoding.picture) },
          ...(audio ? { audio: { codec: probedAudioCodec(format) } } : {}),
        },
      },
    ],
  };
}

// Metadata and chapters are dropped: they may hold a place, a name or control characters that nobody asked to publish.
const withoutTheRest = ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];

function pictureArguments(
  video: VideoStream,
  { format, encoding }: { format: VideoFormat; encoding: VideoEncoding },
): string[] {
  return [
    '-map',
    `0:${video.index}`,
    '-vf',
    videoFilters(video, encoding.picture).join(','),
    ...videoCodecArguments(encoding.codec, { ...encoding, format }),
    // Frames keep their own times: a variable rate stays what it was.
    '-fps_mode:v',
    'vfr',
  ];
}

function soundArguments(audio: AudioStream, options: { format: VideoFormat; bitrateKbps: number }): string[] {
  return [
    '-map',
    `0:${audio.index}`,
    ...audioCodecArguments(audio, options),
    ...(audio.language ? ['-metadata:s:a:0', `language=${audio.language}`] : []),
  ];
}

function seek(range: VideoEncoding['range']): string[] {
  return range ? ['-ss', range.start.toFixed(3), '-t', (range.end - range.start).toFixed(3)] : [];
}

function finalSize({ scale, crop, pad }: PictureChange): Size {
  return pad ?? crop ?? scale;
}
