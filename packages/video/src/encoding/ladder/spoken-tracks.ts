import type { AudioLayout } from '../../media/codecs/audio-codecs.ts';
import type { Accessibility } from '../../media/playlists/adaptive-set.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { mainAudio } from '../../media/probe/streams.ts';
import { languageTag } from '../../media/probe/subtitles.ts';
import { selectAudioTracks } from '../audio/map-audio.ts';

/**
 * The audio tracks of an adaptive stream as indexes among those of the source: the main track, then the others. Undefined
 * for the main track alone, where each track of the source is one channel.
 */
export function audioTrackOrder(probe: Probe): number[] | undefined {
  const main = mainAudio(probe);
  if (main?.joinedIndexes !== undefined) return undefined;
  const known = selectAudioTracks(probe, 'all');
  const all = probe.streams.filter((stream): stream is AudioStream => stream.kind === 'audio');
  return known
    .toSorted((one, other) => Number(other.index === main?.index) - Number(one.index === main?.index))
    .map((track) => all.indexOf(track));
}

/** The channels of all tracks of an adaptive stream: Apple requires the same number in all renditions of a group. */
export function commonChannels(tracks: readonly Pick<AudioStream, 'channels'>[]): AudioLayout['channels'] {
  return tracks.some(({ channels }) => channels > 1) ? 'two' : 'stereo';
}

/** Whether a track describes the video. A track that only a receiver mixes is none to choose for it. */
export function descriptionOf({ accessibility }: AudioStream): 'description' | undefined {
  return accessibility === 'description' ? accessibility : undefined;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** What players show in their menus. */
export type TrackLabel = {
  name: string;
  /** BCP 47. */
  language: string | undefined;
  /** Whether it is the first of its language, among the tracks of its kind: for everybody, forced, or for accessibility. */
  isFirst: boolean;
};

const accessibilityNames: Record<Accessibility, string> = { description: 'audio description', caption: 'SDH' };

type LabelledTrack = {
  language?: string | undefined;
  name?: string | undefined;
  isForced?: boolean;
  accessibility?: Accessibility | undefined;
};

/**
 * Labels of tracks: the given name, else that of the language in English. Names that repeat get a number, since players
 * distinguish tracks of a group by their names (RFC 8216, section 4.3.4.1.1).
 */
export function labelTracks(tracks: readonly LabelledTrack[], unknown: string): TrackLabel[] {
  const names = new Set<string>();
  const earlier = new Set<string>();
  return tracks.map(({ language: code, name: wanted, isForced, accessibility }) => {
    const language = code === undefined ? undefined : languageTag(code);
    const spoken = language === undefined ? unknown : (languageNames.of(language) ?? unknown);
    const note = isForced ? 'forced' : accessibility && accessibilityNames[accessibility];
    const name = distinctName(wanted ?? (note ? `${spoken} (${note})` : spoken), names);
    const kind = `${language} ${note}`;
    const isFirst = !earlier.has(kind);
    names.add(name);
    earlier.add(kind);
    return { name, language, isFirst };
  });
}

function distinctName(wanted: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted} ${count}`;
    if (!taken.has(name)) return name;
  }
}
