import type { AudioStream } from '../../media/probe/probe.ts';

type TrackStreams = Pick<AudioStream, 'index' | 'rightIndex' | 'ambisonics'>;

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
  if (typeof audio !== 'string' && audio.rightIndex !== undefined) {
    const label = `[stereo${output}]`;
    return ['-filter_complex', `${audioChain(audio, 0, filters)}${label}`, '-map', label];
  }
  const specifier = typeof audio === 'string' ? audio : `0:${audio.index}`;
  const decoded = typeof audio === 'string' ? [] : stereoFilters(audio);
  const chain = [...decoded, ...filters].join(',');
  if (chain === '') return ['-map', specifier];
  return ['-map', specifier, track === undefined ? '-af' : `-filter:a:${track}`, chain];
}

/** A chain of a filter graph that reads an audio track of an input. */
export function audioChain(audio: TrackStreams, input: number, filters: readonly string[]): string {
  const { index, rightIndex } = audio;
  const pads = [index, rightIndex].filter((each) => each !== undefined);
  return `${pads.map((pad) => `[${input}:${pad}]`).join('')}${[...stereoFilters(audio), ...filters].join(',')}`;
}

/**
 * Filters that make stereo of a pair of mono streams, or of ambisonics by two virtual cardioid microphones that point left
 * and right. ffmpeg itself converts no ambisonic layout, so they come first.
 */
function stereoFilters({ rightIndex, ambisonics }: TrackStreams): string[] {
  if (rightIndex !== undefined) return ['join=inputs=2:channel_layout=stereo:map=0.0-FL|1.0-FR'];
  if (ambisonics === undefined) return [];
  const { stereoChannel } = ambisonics;
  const [left, right] =
    stereoChannel === undefined ? ['', ''] : [`+c${stereoChannel}`, `+c${stereoChannel + 1}`];
  return [`pan=stereo|c0=0.5*c0+0.5*c1${left}|c1=0.5*c0-0.5*c1${right}`];
}
