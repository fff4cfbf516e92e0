import { describe, expect, it } from 'vitest';
import type { MeasuredSet, MeasuredVideo } from '../../../src/media/playlists/adaptive-set.ts';
import { dashManifest } from '../../../src/media/playlists/dash-manifest.ts';
import { masterPlaylist, mediaPlaylist } from '../../../src/media/playlists/hls-playlists.ts';
import { findReferences, replaceReferences } from '../../../src/media/playlists/references.ts';

const file = {
  initBytes: 770,
  index: { offset: 770, sizeBytes: 64 },
  codec: 'avc1.640028',
  ticksPerSecond: 24_000,
  fragments: [
    { offset: 834, sizeBytes: 1000, seconds: 2.002 },
    { offset: 1834, sizeBytes: 500, seconds: 1.001 },
  ],
};

const segments = [{ offset: 834, sizeBytes: 1500, seconds: 3.003 }];

function aVideo(differences: Partial<MeasuredVideo> = {}): MeasuredVideo {
  return {
    kind: 'video',
    number: 0,
    name: '1080p',
    file,
    segments,
    peakBitsPerSecond: 4_000_000.4,
    averageBitsPerSecond: 3_000_000,
    width: 1920,
    height: 1080,
    framesPerSecond: 24_000 / 1001,
    maxFramesPerSecond: 24_000 / 1001,
    keyframes: [{ offset: 834, sizeBytes: 250, seconds: 2 }],
    keyframeRates: { peakBitsPerSecond: 1000, averageBitsPerSecond: 1000 },
    ...differences,
  };
}

const audio = {
  kind: 'audio',
  number: 2,
  name: 'German',
  language: 'de',
  isDefault: true,
  isAutoselect: true,
  channels: 2,
  file: { ...file, codec: 'mp4a.40.2' },
  segments,
  peakBitsPerSecond: 130_000,
  averageBitsPerSecond: 128_000,
  sampleRateHz: 48_000,
} as const;

const commentary = { ...audio, number: 3, name: 'German 2', isDefault: false, isAutoselect: false };

const subtitles = {
  kind: 'subtitles',
  number: 0,
  name: 'French',
  language: 'fr',
  isForced: true,
  isAutoselect: true,
  segments,
  peakBitsPerSecond: 900.5,
  averageBitsPerSecond: 400,
} as const;

const small = aVideo({
  number: 1,
  name: '720p',
  width: 1280,
  height: 720,
  peakBitsPerSecond: 2_000_000,
  averageBitsPerSecond: 1_500_000,
});

const [targetSeconds, bufferSeconds] = [3, 3.003];

const set: MeasuredSet = {
  videos: [aVideo(), small],
  audios: [audio, commentary],
  subtitles: [subtitles],
  targetSeconds,
  bufferSeconds,
};

describe('a master playlist', () => {
  it('has every track, the variant of about 2 Mbit/s first, and the keyframes of each', () => {
    expect(masterPlaylist(set).split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="German",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="media_2.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="German 2",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=NO,CHANNELS="2",URI="media_3.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="French",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI="subtitles_0.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=2130901,AVERAGE-BANDWIDTH=1628400,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=23.976,VIDEO-RANGE=SDR,AUDIO="audio",SUBTITLES="subtitles",CLOSED-CAPTIONS=NONE',
      'media_1.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=4130901,AVERAGE-BANDWIDTH=3128400,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=23.976,VIDEO-RANGE=SDR,AUDIO="audio",SUBTITLES="subtitles",CLOSED-CAPTIONS=NONE',
      'media_0.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=130901,AVERAGE-BANDWIDTH=128400,CODECS="mp4a.40.2",AUDIO="audio",SUBTITLES="subtitles",CLOSED-CAPTIONS=NONE',
      'media_2.m3u8',
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1000,AVERAGE-BANDWIDTH=1000,CODECS="avc1.640028",RESOLUTION=1920x1080,VIDEO-RANGE=SDR,URI="keyframes_0.m3u8"',
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1000,AVERAGE-BANDWIDTH=1000,CODECS="avc1.640028",RESOLUTION=1280x720,VIDEO-RANGE=SDR,URI="keyframes_1.m3u8"',
      '',
    ]);
  });

  it('of a silent video has neither groups nor an audio-only variant', () => {
    const text = masterPlaylist({ ...set, videos: [aVideo()], audios: [], subtitles: [] });
    expect(text.match(/#EXT-X-STREAM-INF.*/g)).toEqual([
      '#EXT-X-STREAM-INF:BANDWIDTH=4000001,AVERAGE-BANDWIDTH=3000000,CODECS="avc1.640028",RESOLUTION=1920x1080,FRAME-RATE=23.976,VIDEO-RANGE=SDR,CLOSED-CAPTIONS=NONE',
    ]);
  });

  it('declares the captions that the video carries', () => {
    const text = masterPlaylist({ ...set, videos: [aVideo({ hasCaptions: true })] });
    expect(text).toContain(
      '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="CC1",DEFAULT=NO,AUTOSELECT=YES,INSTREAM-ID="CC1"',
    );
    expect(text).toContain('CLOSED-CAPTIONS="captions"');
    expect(text).not.toContain('NONE');
  });
});

it('a media playlist lists byte ranges of one file', () => {
  expect(
    mediaPlaylist({ filename: 'stream_0.mp4', init: file, segments, targetSeconds, encryption: undefined }),
  ).toBe(`#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:3
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="stream_0.mp4",BYTERANGE="770@0"
#EXTINF:3.003000,
#EXT-X-BYTERANGE:1500@834
stream_0.mp4
#EXT-X-ENDLIST
`);
});

it('a playlist of keyframes is marked as such', () => {
  const text = mediaPlaylist({
    areKeyframes: true,
    filename: 'stream_0.mp4',
    init: file,
    segments: aVideo().keyframes,
    encryption: undefined,
  });
  expect(text).toContain('#EXT-X-I-FRAMES-ONLY\n');
  expect(text).toContain('#EXTINF:2.000000,\n#EXT-X-BYTERANGE:250@834\n');
});

describe('the playlists of an encrypted stream', () => {
  const keyUri = 'https://keys.example/film?viewer=1';
  const iv = '000102030405060708090a0b0c0d0e0f';
  const playlist = { filename: 'stream_0.mp4', init: file, segments, targetSeconds };

  it('name the key after the initialization section, which stays clear', () => {
    const text = mediaPlaylist({ ...playlist, encryption: { scheme: 'aes-128', keyUri, iv } });
    expect(text).toContain(`"770@0"\n#EXT-X-KEY:METHOD=AES-128,URI="${keyUri}",IV=0x${iv}\n#EXTINF:3.003000,\n`);
  });

  it('leave out the vector that is the number of the segment', () => {
    const encryption = { scheme: 'aes-128', keyUri } as const;
    const key = `#EXT-X-KEY:METHOD=AES-128,URI="${keyUri}"\n`;
    expect(mediaPlaylist({ ...playlist, encryption })).toContain(key);
    expect(mediaPlaylist({ areKeyframes: true, ...playlist, encryption })).toContain(key);
    expect(mediaPlaylist({ ...playlist, init: undefined, encryption })).toContain(key);
    expect(masterPlaylist({ ...set, encryption })).toContain(key.replace('EXT-X-KEY', 'EXT-X-SESSION-KEY'));
  });

  it('refer to files of the stream only, and not to the key', () => {
    const text = mediaPlaylist({ ...playlist, encryption: { scheme: 'aes-128', keyUri } });
    expect(findReferences(text, 'm3u8')).toEqual(['stream_0.mp4']);
    expect(replaceReferences(text, 'm3u8', new Map([['stream_0.mp4', 'x']]))).toContain(`URI="${keyUri}"`);
  });
});

it('a manifest states the closed captions of its videos', () => {
  const captions = '<Accessibility schemeIdUri="urn:scte:dash:cc:cea-608:2015"/><Role';
  expect(dashManifest({ ...set, videos: [aVideo({ hasCaptions: true })] })).toContain(captions);
  expect(dashManifest(set)).not.toContain('Accessibility');
});

it('a DASH manifest names the longest fragment of a stream of eight hours in ten sizes', () => {
  const fragments = Array.from({ length: 14_400 }, (_, number) => ({
    offset: 834,
    sizeBytes: 1000,
    seconds: number === 7 ? 2.5 : 2,
  }));
  const video = aVideo({ file: { ...file, fragments }, segments: fragments });
  const videos: MeasuredSet['videos'] = [video, ...Array.from({ length: 9 }, () => video)];
  const manifest = dashManifest({ ...set, videos });
  expect(manifest).toContain('maxSubsegmentDuration="PT2.500S"');
});

it('a manifest names the index of each file, by codec, language and role', () => {
  const hevc = aVideo({ number: 4, name: '1080p-h265', file: { ...file, codec: 'hvc1.2.4.L120.90' } });
  const text = dashManifest({ ...set, videos: [aVideo(), hevc] }).replaceAll('><', '>\n<');
  expect(text.split('\n')).toEqual([
    '<?xml version="1.0" encoding="utf-8"?>',
    '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" mediaPresentationDuration="PT3.003S" maxSubsegmentDuration="PT2.002S" minBufferTime="PT3.003S">',
    '<Period id="0" start="PT0S" duration="PT3.003S">',
    ...['avc1.640028', 'hvc1.2.4.L120.90'].flatMap((codec, id) => [
      `<AdaptationSet contentType="video" mimeType="video/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1" id="${id}">`,
      '<Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>',
      `<Representation id="${['1080p', '1080p-h265'][id]}" codecs="${codec}" bandwidth="4000001" width="1920" height="1080" sar="1:1" frameRate="24000/1001">`,
      `<BaseURL>stream_${[0, 4][id]}.mp4</BaseURL>`,
      '<SegmentBase indexRange="770-833" indexRangeExact="true">',
      '<Initialization range="0-769"/>',
      '</SegmentBase>',
      '</Representation>',
      '</AdaptationSet>',
    ]),
    ...['main', 'alternate'].flatMap((role, index) => [
      `<AdaptationSet contentType="audio" mimeType="audio/mp4" lang="de" subsegmentAlignment="true" subsegmentStartsWithSAP="1" id="${index + 2}">`,
      `<Label>${['German', 'German 2'][index]}</Label>`,
      `<Role schemeIdUri="urn:mpeg:dash:role:2011" value="${role}"/>`,
      `<Representation id="audio-${index + 2}" codecs="mp4a.40.2" bandwidth="130000" audioSamplingRate="48000">`,
      '<AudioChannelConfiguration schemeIdUri="urn:mpeg:mpegB:cicp:ChannelConfiguration" value="2"/>',
      `<BaseURL>stream_${index + 2}.mp4</BaseURL>`,
      '<SegmentBase indexRange="770-833" indexRangeExact="true">',
      '<Initialization range="0-769"/>',
      '</SegmentBase>',
      '</Representation>',
      '</AdaptationSet>',
    ]),
    '<AdaptationSet contentType="text" mimeType="text/vtt" lang="fr" id="4">',
    '<Label>French</Label>',
    '<Role schemeIdUri="urn:mpeg:dash:role:2011" value="forced-subtitle"/>',
    '<Representation id="subtitles-0" bandwidth="901">',
    '<BaseURL>subtitles_0.vtt</BaseURL>',
    '</Representation>',
    '</AdaptationSet>',
    '</Period>',
    '</MPD>',
    '',
  ]);
});
