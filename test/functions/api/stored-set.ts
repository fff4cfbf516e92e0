import { sheetName } from '../../../core/media/playlists/set-files.ts';

/** The content of every file that is no playlist. */
const video = 'the video';

/** Cues that name one sheet each. */
export const cues = (sheets: number) =>
  `WEBVTT\n\n${Array.from({ length: sheets }, (_, index) => `${sheetName(index)}.jpg#xywh=0,0,1,1\n`).join('')}`;

/** Playlists, cues and the files that they name. */
export const set: Record<string, string> = {
  'hls.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia_0.m3u8\n',
  'media_0.m3u8': '#EXTM3U\n#EXT-X-MAP:URI="stream_0.mp4"\n#EXTINF:2,\nstream_0.mp4\n#EXT-X-ENDLIST\n',
  'dash.mpd': '<MPD><BaseURL>stream_0.mp4</BaseURL></MPD>',
  'stream_0.mp4': video,
  'sprite.vtt': cues(1),
  'sprite-001.jpg': video,
  'log.txt': video,
};
