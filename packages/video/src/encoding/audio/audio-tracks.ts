import { JobError, rejectInput } from '../../errors.ts';
import { decodedTrack } from '../../media/probe/ambisonics.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { describeCodecs, endSecondsOf, isKnown, mainAudio, ownAudio } from '../../media/probe/streams.ts';
import type { TimeRange } from '../video/time-range.ts';

/** Indexes among the audio tracks of the input, `all` of the main video, or by default the main track. */
export type TrackSelection = readonly number[] | 'all' | undefined;

/**
 * The chosen audio tracks, in the order of the choice.
 * @throws JobError `INPUT_UNSUPPORTED` if the input has no such track
 */
export function selectAudioTracks(probe: Probe, selection: TrackSelection): AudioStream[] {
  if (selection === 'all') return ownAudio(probe).filter(isKnown);
  if (selection === undefined) return [mainAudio(probe)].filter((track) => track !== undefined);
  const tracks = probe.streams.filter((stream): stream is AudioStream => stream.kind === 'audio');
  return selection.map((index) => {
    const track = tracks[index];
    if (track !== undefined && isKnown(track)) return decodedTrack(track);
    if (track !== undefined) rejectInput(`The audio track ${index} is ${describeCodecs([track])}`);
    const found = tracks.map(({ language, codec }, number) => `${number} (${language ?? 'no language'}, ${codec})`);
    const list = found.length === 0 ? 'none' : found.join(', ');
    throw new JobError('INPUT_UNSUPPORTED', `The input has no audio track ${index}; it has ${list}`);
  });
}

/** Whether a track has samples within seconds of its file. Without any, ffmpeg writes an empty track, or none. */
export function overlapsRange(probe: Probe, track: AudioStream, { start, end }: TimeRange): boolean {
  return track.startSeconds < end && (endSecondsOf(probe, [track]) ?? end) > start;
}
