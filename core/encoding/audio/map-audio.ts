import type { AudioStream } from '../../media/probe/probe.ts';

type TrackStreams = Pick<AudioStream, 'index' | 'rightIndex'>;

/** A track of the source, or a stream by ffmpeg's specifier, such as `1:a:0`. */
export type MappedAudio = TrackStreams | `${number}:a:${number}`;

type Mapping = {
  filters: readonly string[];
  /** Index of the track in an output with several. */
  track?: number | undefined;
  /** A number that no other output of the command has for its audio. */
  output?: number | undefined;
};

/** Arguments that map an audio track, of the first input if it is of the source, through filters. */
export function mapAudio(audio: MappedAudio, { filters, track, output = 0 }: Mapping): string[] {
  const chain = filters.join(',');
  if (typeof audio === 'string' || audio.rightIndex === undefined) {
    const specifier = typeof audio === 'string' ? audio : `0:${audio.index}`;
    return ['-map', specifier, track === undefined ? '-af' : `-filter:a:${track}`, chain];
  }
  const label = `[stereo${output}]`;
  return ['-filter_complex', `${audioPads(audio, 0)}${chain}${label}`, '-map', label];
}

/** The start of a chain of a filter graph that reads an audio track of an input. */
export function audioPads({ index, rightIndex }: TrackStreams, input: number): string {
  if (rightIndex === undefined) return `[${input}:${index}]`;
  return `[${input}:${index}][${input}:${rightIndex}]join=inputs=2:channel_layout=stereo:map=0.0-FL|1.0-FR,`;
}

/** Maps all streams of audio tracks without filters. */
export function mapStreams(tracks: readonly TrackStreams[]): string[] {
  return tracks
    .flatMap(({ index, rightIndex }) => (rightIndex === undefined ? [index] : [index, rightIndex]))
    .flatMap((index) => ['-map', `0:${index}`]);
}
