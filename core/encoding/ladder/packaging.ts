import { type Format, formats } from '../../media/formats.ts';
import type { Size } from '../../media/frame-size.ts';
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import { dashFile, hlsFile, mediaFile, playlistFile } from '../../media/playlists/set-files.ts';
import type { PlannedOutput } from '../plan.ts';
import type { Rendition } from './ladder.ts';
import { minKeyframeSeconds } from './segmenting.ts';

/** The renditions and the audio of an adaptive stream. */
export type PackagedStreams = {
  sizes: readonly [Rendition, ...Rendition[]];
  videoSeconds: number | undefined;
  audio: { seconds: number | undefined; codec: string } | undefined;
};

/**
 * Arguments that package all streams of a command for HLS and DASH at once: one fragmented MP4 per stream, whose byte
 * ranges are the segments of both manifests.
 */
export function packagingArguments({
  directory,
  segmentSeconds,
  hasAudio,
}: {
  directory: string;
  segmentSeconds: number;
  hasAudio: boolean;
}): string[] {
  // Video is cut at keyframes, which are at least this far apart. Audio can be cut at any packet.
  const videoSet = `id=0,seg_duration=${minKeyframeSeconds(segmentSeconds)},streams=v`;
  return [
    ...['-f', 'dash', '-dash_segment_type', 'mp4', '-seg_duration', String(segmentSeconds)],
    ...['-single_file', '1', '-single_file_name', mediaFile('$RepresentationID$')],
    ...['-hls_playlist', '1', '-hls_master_name', hlsFile],
    ...['-adaptation_sets', `${videoSet}${hasAudio ? ' id=1,streams=a' : ''}`],
    `${directory}/${dashFile}`,
  ];
}

export function packagedOutputs({ sizes, videoSeconds, audio }: PackagedStreams): PlannedOutput[] {
  const durations = [videoSeconds, audio?.seconds].filter((seconds) => seconds !== undefined);
  const videoOutputs = sizes.flatMap((size, index) => [
    output(size.name, mediaFile(index), 'mp4', {
      durationSeconds: videoSeconds,
      video: { codec: 'h264', ...displayedSize(size, sizes[0]) },
    }),
    playlist(`${size.name}-playlist`, playlistFile(index), 'm3u8', videoSeconds),
  ]);
  const audioOutputs =
    audio === undefined
      ? []
      : [
          output('audio', mediaFile(sizes.length), 'm4a', {
            durationSeconds: audio.seconds,
            audio: { codec: audio.codec },
          }),
          playlist('audio-playlist', playlistFile(sizes.length), 'm3u8', audio.seconds),
        ];
  return [
    playlist('hls', hlsFile, 'm3u8', undefined),
    playlist('dash', dashFile, 'mpd', durations.length === 0 ? undefined : Math.max(...durations)),
    ...videoOutputs,
    ...audioOutputs,
  ];
}

/**
 * The displayed size. The muxer requires the same aspect ratio for all renditions: `scale` compensates for rounding by
 * the pixel aspect ratio.
 */
function displayedSize({ height }: Size, largest: Size): Size {
  return { width: Math.round((height * largest.width) / largest.height), height };
}

function playlist(
  name: string,
  filename: string,
  format: 'm3u8' | 'mpd',
  durationSeconds: number | undefined,
): PlannedOutput {
  return output(name, filename, format, { referencesFiles: true, durationSeconds });
}

function output(
  name: string,
  filename: string,
  format: Format,
  expectation: OutputExpectation,
): PlannedOutput {
  return { name, filename, format, mimeType: formats[format].mimeType, expectation };
}
