import { minSegmentSeconds } from '../../core/encoding/ladder/segmenting.ts';
import type { PlannedOutput } from '../../core/encoding/plan.ts';
import {
  type FragmentedFile,
  keyframeBytes,
  readFragmentedFile,
} from '../../core/media/fragments/fragmented-file.ts';
import {
  type AudioTrack,
  type MeasuredAudio,
  type MeasuredSet,
  type MeasuredVideo,
  measureMedia,
  type SubtitleTrack,
  type VideoTrack,
} from '../../core/media/playlists/adaptive-set.ts';
import { dashManifest } from '../../core/media/playlists/dash-manifest.ts';
import { masterPlaylist } from '../../core/media/playlists/master-playlist.ts';
import { keyframePlaylist, segmentPlaylist } from '../../core/media/playlists/media-playlists.ts';
import { groupIntoSegments } from '../../core/media/playlists/segment-rates.ts';
import { mediaFile } from '../../core/media/playlists/set-files.ts';
import { mainAudio, mainVideo } from '../../core/media/probe/streams.ts';
import type { ReadAt } from '../../core/media/read-at.ts';
import type { MeasuredOutput, WrittenOutputs } from './measured-output.ts';

/** Writes the playlists of an adaptive stream, if the outputs are one, from the fragments of its media files. */
export async function writePlaylists(
  { outputs, directory, workspace }: WrittenOutputs,
  media: readonly MeasuredOutput[],
): Promise<void> {
  const planned = outputs.flatMap(({ filename, playlist }) => (playlist ? [{ filename, ...playlist }] : []));
  const [first] = planned;
  if (first === undefined) return;
  const set: { videos: MeasuredVideo[]; audios: MeasuredAudio[] } = { videos: [], audios: [] };
  for (const output of media) {
    const { track } = output.planned;
    if (track === undefined || track.kind === 'subtitles') continue;
    await using file = await workspace.openFile(output.path);
    const fragmented = await readFragmentedFile(file.readAt);
    if (track.kind === 'video') {
      const { segmentSeconds } = first;
      set.videos.push(await measureVideo(output, track, { fragmented, segmentSeconds, readAt: file.readAt }));
    } else set.audios.push(measureAudio(output, track, fragmented));
  }
  const measured = measuredSet(set, outputs);
  const texts = planned.map(({ filename, ...playlist }) => ({
    path: `${directory}/${filename}`,
    text: playlistText(measured, playlist),
  }));
  await Promise.all(texts.map(({ path, text }) => workspace.writeText(path, text)));
}

type VideoFile = { fragmented: FragmentedFile; segmentSeconds: number; readAt: ReadAt };

async function measureVideo(
  { probe }: MeasuredOutput,
  track: VideoTrack,
  { fragmented, segmentSeconds, readAt }: VideoFile,
): Promise<MeasuredVideo> {
  const { width = 0, height = 0, framesPerSecond } = (probe && mainVideo(probe)) ?? {};
  const { fragments } = fragmented;
  const keyframes = [];
  for (const fragment of fragments) {
    keyframes.push({ ...fragment, sizeBytes: await keyframeBytes(readAt, fragment) });
  }
  const segments = groupIntoSegments(fragments, minSegmentSeconds(segmentSeconds));
  return { ...track, ...measureMedia(fragmented, segments), width, height, framesPerSecond, keyframes };
}

function measureAudio(
  { probe }: MeasuredOutput,
  track: AudioTrack,
  fragmented: FragmentedFile,
): MeasuredAudio {
  const { sampleRateHz = 0 } = (probe && mainAudio(probe)) ?? {};
  return { ...track, ...measureMedia(fragmented, fragmented.fragments), sampleRateHz };
}

function measuredSet(
  { videos: [video, ...others], audios }: { videos: MeasuredVideo[]; audios: MeasuredAudio[] },
  outputs: readonly PlannedOutput[],
): MeasuredSet {
  if (video === undefined) throw new TypeError('An adaptive stream has a video');
  const subtitles = outputs
    .map(({ track }) => track)
    .filter((track): track is SubtitleTrack => track?.kind === 'subtitles');
  return { videos: [video, ...others], audios, subtitles };
}

function playlistText(set: MeasuredSet, playlist: NonNullable<PlannedOutput['playlist']>): string {
  switch (playlist.kind) {
    case 'hls':
      return masterPlaylist(set);
    case 'dash':
      return dashManifest(set);
    case 'segments': {
      const { number, file, segments } = trackOf([...set.videos, ...set.audios], playlist.number);
      return segmentPlaylist({ filename: mediaFile(number), init: file, segments });
    }
    case 'keyframes': {
      const { number, file, keyframes } = trackOf(set.videos, playlist.number);
      return keyframePlaylist({ filename: mediaFile(number), init: file, segments: keyframes });
    }
  }
}

function trackOf<Track extends { number: number }>(tracks: readonly Track[], number: number): Track {
  const track = tracks.find((each) => each.number === number);
  if (track === undefined) throw new TypeError(`The stream has no track ${number}`);
  return track;
}
