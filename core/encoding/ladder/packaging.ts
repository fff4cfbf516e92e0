import { type Format, formats } from '../../media/formats.ts';
import type { Size } from '../../media/frame-size.ts';
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import type { PlannedOutput } from '../plan.ts';
import type { Rendition } from './ladder.ts';
import { minKeyframeSeconds } from './segmenting.ts';

/** What is streamed: each size of the picture, and the sound where there is any. */
export type PackagedStreams = {
  sizes: readonly [Rendition, ...Rendition[]];
  /** Seconds that the picture lasts, and the sound. */
  videoSeconds: number | undefined;
  audio: { seconds: number | undefined; codec: string } | undefined;
};

const dashFile = 'dash.mpd';
const hlsFile = 'hls.m3u8';
// ffmpeg gives the playlists these names whatever it is asked, and the number to both.
const playlistFile = (index: number) => `media_${index}.m3u8`;
const mediaFile = (index: number | string) => `stream_${index}.mp4`;

/**
 * Arguments that pack all streams of a command for HLS and DASH at once: a fragmented MP4 for each, cut by byte ranges
 * into segments that both kinds of playlists point to.
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
  // Pictures are cut where keyframes are, which are no nearer to each other; sound before any packet.
  const pictures = `id=0,seg_duration=${minKeyframeSeconds(segmentSeconds)},streams=v`;
  return [
    ...['-f', 'dash', '-dash_segment_type', 'mp4', '-seg_duration', String(segmentSeconds)],
    ...['-single_file', '1', '-single_file_name', mediaFile('$RepresentationID$')],
    ...['-hls_playlist', '1', '-hls_master_name', hlsFile],
    ...['-adaptation_sets', `${pictures}${hasAudio ? ' id=1,streams=a' : ''}`],
    `${directory}/${dashFile}`,
  ];
}

/** The files that come of it. */
export function packagedOutputs({ sizes, videoSeconds, audio }: PackagedStreams): PlannedOutput[] {
  const lengths = [videoSeconds, audio?.seconds].filter((length) => length !== undefined);
  const pictures = sizes.flatMap((size, index) => [
    output(size.name, mediaFile(index), 'mp4', {
      durationSeconds: videoSeconds,
      video: { codec: 'h264', ...displayed(size, sizes[0]) },
    }),
    playlist(`${size.name}-playlist`, playlistFile(index), 'm3u8', videoSeconds),
  ]);
  const sounds =
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
    playlist('dash', dashFile, 'mpd', lengths.length === 0 ? undefined : Math.max(...lengths)),
    ...pictures,
    ...sounds,
  ];
}

/**
 * A size as it is shown. All have exactly the shape of the largest, without which the muxer refuses them: `scale` makes
 * up for what was rounded by the shape of pixels.
 */
function displayed({ height }: Size, largest: Size): Size {
  return { width: Math.round((height * largest.width) / largest.height), height };
}

function playlist(
  name: string,
  filename: string,
  format: 'm3u8' | 'mpd',
  durationSeconds: number | undefined,
): PlannedOutput {
  const lasting = durationSeconds === undefined ? {} : { durationSeconds };
  return output(name, filename, format, { referencesFiles: true, ...lasting });
}

function output(
  name: string,
  filename: string,
  format: Format,
  expectation: OutputExpectation,
): PlannedOutput {
  return { name, filename, format, mimeType: formats[format].mimeType, expectation };
}
