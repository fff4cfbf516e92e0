import { keptSubtitles } from '../../encoding/copy/copy-streams.ts';
import { copiedCodecs } from '../../media/codecs/copied-codecs.ts';
import type { Format, VideoFormat } from '../../media/formats.ts';
import type { AudioStream, Probe, SubtitleStream } from '../../media/probe/probe.ts';
import { describeCodecs, isKnown, mainAudio, ownAudio } from '../../media/probe/streams.ts';
import { isTextTrack, subtitleTracks } from '../../media/probe/subtitles.ts';
import type { JobWarning } from '../../media/warning.ts';
import { copiesStreams, type Step } from './steps.ts';

/**
 * Warnings of the tracks of an input that the result of a step lacks although its recipe keeps such tracks: all of a copy
 * and of a stream for players, one of any other video. Tracks that the request did not choose are none.
 */
export function droppedTracks({ recipe, format }: Pick<Step, 'recipe' | 'format'>, probe: Probe): JobWarning[] {
  const keepsAll = copiesStreams(recipe) || recipe.name === 'hls';
  const hasChoice = 'audioTracks' in recipe && recipe.audioTracks !== undefined;
  const isVideo = isVideoFormat(format) || format === 'm3u8';
  const keepsAudio = isVideo && recipe.name !== 'mute' && !hasChoice;
  const isSilent = mainAudio(probe) === undefined;
  return [
    ...(keepsAudio && (keepsAll || isSilent) ? droppedAudio(probe) : []),
    ...(keepsAll ? droppedSubtitles(probe, format) : []),
    ...(keepsAll || recipe.name === 'extract-subtitles' ? guessedLanguages(probe) : []),
  ];
}

/** Of one track, its language does not matter to anybody who chooses a track. */
function guessedLanguages(probe: Probe): JobWarning[] {
  const kinds = { Audio: ownAudio(probe), Subtitle: subtitleTracks(probe) };
  return Object.entries(kinds).flatMap(([kind, tracks]) =>
    tracks.flatMap(({ languageGuess, languageTag, language }, number) => {
      if (languageGuess === undefined || tracks.length === 1) return [];
      const message = `The language of ${kind.toLowerCase()} track ${number} is taken for ${languageTag ?? language}: ${languageGuess}`;
      return { code: 'LANGUAGE_GUESSED', message };
    }),
  );
}

function isVideoFormat(format: Format): format is VideoFormat {
  return format in copiedCodecs;
}

function droppedAudio(probe: Probe): JobWarning[] {
  return ownAudio(probe).flatMap((track, number) => {
    if (isKnown(track)) return [];
    const message = `${label('Audio', number, track)} is left out: it is ${describeCodecs([track])}`;
    return { code: 'TRACK_DROPPED', message };
  });
}

function droppedSubtitles(probe: Probe, format: Format): JobWarning[] {
  const kept = isVideoFormat(format) ? keptSubtitles(probe, format) : subtitleTracks(probe).filter(isTextTrack);
  return subtitleTracks(probe).flatMap((track, number) => {
    if (kept.includes(track)) return [];
    const message = `${label('Subtitle', number, track)} is left out: ${format} cannot hold ${track.codec}`;
    return { code: 'SUBTITLE_DROPPED', message };
  });
}

function label(kind: string, number: number, { language, codec }: AudioStream | SubtitleStream): string {
  return `${kind} track ${number} (${language ?? 'no language'}, ${codec})`;
}

/** Warnings of an input of a step, by its probe: what the result lacks of it, and that its end is missing. */
export function stepWarnings(step: Pick<Step, 'recipe' | 'format'>, probe: Probe): JobWarning[] {
  const message =
    'The input is damaged: it ends within a packet, so it was cut off, and how many frames are missing is unknown';
  return [...droppedTracks(step, probe), ...(probe.isCutOff ? [{ code: 'INPUT_DAMAGED' as const, message }] : [])];
}
