import type { AudioStream } from '../../media/probe/probe.ts';

type TrackStreams = Pick<AudioStream, 'index' | 'rightIndex' | 'ambisonics'>;

/** A track of the source, or a stream by ffmpeg's specifier, such as `1:a:0`. */
export type MappedAudio = TrackStreams | `${number}:a:${number}`;

type Mapping = {
  /** Filters that select samples by their times. */
  trim?: readonly string[];
  filters: readonly string[];
  /** Index of the track in an output with several. */
  track?: number | undefined;
  /** A number that no other output of the command has for its audio. */
  output?: number | undefined;
};

/** Arguments that map an audio track, of the first input if it is of the source, through filters. */
export function mapAudio(audio: MappedAudio, { trim = [], filters, track, output = 0 }: Mapping): string[] {
  if (typeof audio !== 'string' && audio.rightIndex !== undefined) {
    const label = `[stereo${output}]`;
    const chain = audioChains(audio, { input: 0, name: String(output), trim, filters });
    return ['-filter_complex', `${chain}${label}`, '-map', label];
  }
  const specifier = typeof audio === 'string' ? audio : `0:${audio.index}`;
  const decoded = typeof audio === 'string' ? [] : stereoFilters(audio);
  const chain = [...decoded, ...trim, ...filters].join(',');
  if (chain === '') return ['-map', specifier];
  return ['-map', specifier, track === undefined ? '-af' : `-filter:a:${track}`, chain];
}

/**
 * Chains of a filter graph that read an audio track of an input; the last one has no output label. `name` is one that no
 * other track of the graph has. Each stream of a pair is trimmed: after a seek, they may start with different samples.
 */
export function audioChains(
  audio: TrackStreams,
  {
    input,
    name,
    trim,
    filters,
  }: { input: number; name: string; trim: readonly string[]; filters: readonly string[] },
): string {
  const { index, rightIndex } = audio;
  const decoded = stereoFilters(audio);
  if (rightIndex === undefined) return `[${input}:${index}]${[...decoded, ...trim, ...filters].join(',')}`;
  const [left, right] = [`[left${name}]`, `[right${name}]`];
  const joined = [...decoded, ...filters].join(',');
  if (trim.length === 0) return `[${input}:${index}][${input}:${rightIndex}]${joined}`;
  return [
    `[${input}:${index}]${trim.join(',')}${left}`,
    `[${input}:${rightIndex}]${trim.join(',')}${right}`,
    `${left}${right}${joined}`,
  ].join(';');
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
