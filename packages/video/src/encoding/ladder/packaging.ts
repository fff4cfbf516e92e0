import { outputChannels, probedAudioCodec } from '../../media/codecs/audio-codecs.ts';
import { probedCodecs, type VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { AdaptiveTrack } from '../../media/playlists/adaptive-set.ts';
import { dashFile, hlsFile, keyframesFile, mediaFile, playlistFile } from '../../media/playlists/set-files.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { PlannedOutput, StreamOptions } from '../plan.ts';
import type { Rendition } from './ladder.ts';
import { commonChannels, descriptionOf, labelTracks } from './spoken-tracks.ts';

/** One fragment for each keyframe, and an index of all fragments ahead of them. */
const videoFragments = ['-movflags', '+frag_keyframe+global_sidx+delay_moov+default_base_moof+skip_trailer'];
const audioFragments = ['-movflags', '+global_sidx+delay_moov+default_base_moof+skip_trailer'];

/** Writes one track into a fragmented MP4, whose byte ranges are segments. Audio has a fragment for each of them. */
export function fragmentArguments(track: { kind: 'video' } | { kind: 'audio'; segmentSeconds: number }): string[] {
  if (track.kind === 'video') return ['-an', ...videoFragments, '-f', 'mp4'];
  const microseconds = Math.round(track.segmentSeconds * 1e6);
  return ['-vn', ...audioFragments, '-frag_duration', String(microseconds), '-f', 'mp4'];
}

/** The renditions, in each codec, and the audio of an adaptive stream. */
export type PackagedStreams = {
  /** Of all playlists. */
  options: StreamOptions;
  /** H.264 first. */
  codecs: readonly VideoCodec[];
  sizes: readonly [Rendition, ...Rendition[]];
  videoSeconds: number | undefined;
  hasCaptions: boolean;
  audio: readonly AudioStream[];
  audioSeconds: number | undefined;
};

/** The manifests, then a file and its playlists for each rendition and audio track. */
export function packagedOutputs(streams: PackagedStreams): PlannedOutput[] {
  const { options, codecs, sizes, videoSeconds, audio, audioSeconds } = streams;
  const durations = [videoSeconds, ...audio.map(() => audioSeconds)].filter((each) => each !== undefined);
  const manifest = (kind: 'hls' | 'dash', filename: string, durationSeconds: number | undefined) =>
    playlist(kind, filename, { kind, ...options }, durationSeconds);
  return [
    manifest('hls', hlsFile, undefined),
    ...(hasDash(options)
      ? [manifest('dash', dashFile, durations.length === 0 ? undefined : Math.max(...durations))]
      : []),
    ...codecs.flatMap((codec, index) =>
      sizes.flatMap((size, at) => videoOutputs(streams, { codec, size, number: index * sizes.length + at })),
    ),
    ...audioOutputs(streams),
  ];
}

/** MPEG-DASH cannot state that segments are encrypted whole. */
export function hasDash({ encryption }: StreamOptions): boolean {
  return encryption === undefined;
}

function videoOutputs(
  { options, codecs, videoSeconds, hasCaptions }: PackagedStreams,
  { codec, size, number }: { codec: VideoCodec; size: Rendition; number: number },
): PlannedOutput[] {
  const { width, height } = size;
  const name = codec === 'h264' ? size.name : `${size.name}-${codec}`;
  const track = {
    kind: 'video',
    number,
    name,
    ...(hasCaptions && !codecs.includes('av1') && { hasCaptions: true as const }),
  } as const;
  const expectation = { durationSeconds: videoSeconds, video: { codec: probedCodecs[codec], width, height } };
  return [
    { name, filename: mediaFile(number), format: 'mp4', expectation, track },
    segmentsPlaylist(name, { number, ...options }, videoSeconds),
    playlist(`${name}-keyframes`, keyframesFile(number), { kind: 'keyframes', number, ...options }, videoSeconds),
  ];
}

function audioOutputs({ options, codecs, sizes, audio, audioSeconds }: PackagedStreams): PlannedOutput[] {
  const labels = labelTracks(
    audio.map((stream) => ({
      language: stream.languageTag ?? stream.language,
      name: stream.title,
      accessibility: descriptionOf(stream),
    })),
    'Audio',
  );
  const layout = { format: 'mp4', channels: commonChannels(audio) } as const;
  return audio.flatMap((stream, index) => {
    const { name: label, language, isFirst } = labels[index] ?? {};
    const number = codecs.length * sizes.length + index;
    const name = index === 0 ? 'audio' : `audio-${index + 1}`;
    const track: AdaptiveTrack = {
      kind: 'audio',
      number,
      name: label ?? name,
      language,
      isDefault: index === 0,
      isAutoselect: isFirst ?? true,
      channels: outputChannels(stream, layout),
      accessibility: descriptionOf(stream),
    };
    const expectation = { durationSeconds: audioSeconds, audio: { codec: probedAudioCodec(layout) } };
    return [
      { name, filename: mediaFile(number), format: 'm4a', expectation, track },
      segmentsPlaylist(name, { number, ...options }, audioSeconds),
    ];
  });
}

function segmentsPlaylist(
  name: string,
  content: StreamOptions & { number: number },
  durationSeconds: number | undefined,
): PlannedOutput {
  const segments = { kind: 'segments', ...content } as const;
  return playlist(`${name}-playlist`, playlistFile(content.number), segments, durationSeconds);
}

function playlist(
  name: string,
  filename: string,
  content: NonNullable<PlannedOutput['playlist']>,
  durationSeconds: number | undefined,
): PlannedOutput {
  const format = content.kind === 'dash' ? 'mpd' : 'm3u8';
  const expectation = { referencesFiles: true, durationSeconds } as const;
  return { name, filename, format, expectation, playlist: content };
}
