import { expect, it } from 'vitest';
import { rewriteDashManifest } from '../../../../core/media/playlists/rewrite-dash-manifest.ts';
import {
  isMasterPlaylist,
  rewriteMasterPlaylist,
  rewriteMediaPlaylist,
} from '../../../../core/media/playlists/rewrite-hls-playlists.ts';

const master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="group_A1",NAME="audio_1",DEFAULT=YES,URI="media_1.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=6378000,RESOLUTION=1920x1080,CODECS="avc1.640028,mp4a.40.2",AUDIO="group_A1"
media_0.m3u8
`;

const media = `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:1
#EXT-X-MAP:URI="stream_0.mp4",BYTERANGE="832@0"
#EXTINF:4.000000,
#EXT-X-BYTERANGE:100@832
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T14:15:49.000+0000
stream_0.mp4
#EXT-X-ENDLIST
`;

const facts = new Map([
  [
    'media_0.m3u8',
    { peakBitsPerSecond: 2_000_000.4, averageBitsPerSecond: 1_000_000, framesPerSecond: 24_000 / 1001 },
  ],
  ['media_1.m3u8', { peakBitsPerSecond: 130_000, averageBitsPerSecond: 128_000 }],
]);

it('a master playlist has the measured bit rates and the frame rate', () => {
  expect(rewriteMasterPlaylist(master, facts).split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="group_A1",NAME="audio_1",DEFAULT=YES,URI="media_1.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=2130001,AVERAGE-BANDWIDTH=1128000,RESOLUTION=1920x1080,CODECS="avc1.640028,mp4a.40.2",AUDIO="group_A1",FRAME-RATE=23.976',
    'media_0.m3u8',
    '',
  ]);
});

it('a master playlist without audio has the bit rates of the video', () => {
  const [, , , ...silent] = master.split('\n');
  const text = rewriteMasterPlaylist(silent.join('\n'), facts);
  expect(text).toContain('BANDWIDTH=2000001,AVERAGE-BANDWIDTH=1000000,');
});

it('a media playlist is marked as VOD and has no wall-clock time', () => {
  expect(isMasterPlaylist(media)).toBe(false);
  expect(isMasterPlaylist(master)).toBe(true);
  expect(rewriteMediaPlaylist(media)).toBe(`#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:1
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="stream_0.mp4",BYTERANGE="832@0"
#EXTINF:4.000000,
#EXT-X-BYTERANGE:100@832
stream_0.mp4
#EXT-X-ENDLIST
`);
});

it('a manifest has a timeline of its segments and the measured bit rate', () => {
  const text = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"
	profiles="urn:mpeg:dash:profile:isoff-live:2011"
	maxSegmentDuration="PT4.0S">
<Representation id="0" bandwidth="6250000" width="1920">
<BaseURL>stream_0.mp4</BaseURL>
<SegmentList timescale="1000000" duration="4000000" startNumber="1">
<SegmentURL mediaRange="832-931" />
</SegmentList>
</Representation>
</MPD>`;
  const streams = new Map([
    [
      'stream_0.mp4',
      {
        peakBitsPerSecond: 999.5,
        averageBitsPerSecond: 1,
        segmentDurationsSeconds: [4.004, 4.004, 30.04, 1],
      },
    ],
  ]);
  expect(
    rewriteDashManifest(text, streams),
  ).toBe(`<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-main:2011" maxSegmentDuration="PT30.040S">
<Representation id="0" bandwidth="1000" width="1920">
<BaseURL>stream_0.mp4</BaseURL>
<SegmentList timescale="1000000" startNumber="1"><SegmentTimeline><S t="0" d="4004000" r="1"/><S d="30040000"/><S d="1000000"/></SegmentTimeline>
<SegmentURL mediaRange="832-931"/>
</SegmentList>
</Representation>
</MPD>`);
});
