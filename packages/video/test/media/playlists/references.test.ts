import { timeOverExcerpts } from '@media-jobs/testing/hostile-text';
import { describe, expect, it } from 'vitest';
import {
  canReferenceFiles,
  eachReference,
  findReferences,
  type ReferencingFormat,
  replaceReferences,
} from '../../../src/media/playlists/references.ts';
import { assertSetReferences } from '../../../src/media/playlists/set-files.ts';

const master = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="media_1.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1.64001e",AUDIO="a"
media_0.m3u8
`;
const media = `#EXTM3U
#EXT-X-MAP:URI="stream_0.mp4",BYTERANGE="832@0"
#EXTINF:4.000000,
#EXT-X-BYTERANGE:100@832
stream_0.mp4
#EXT-X-ENDLIST
`;
const mpd = '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>stream_0.mp4</BaseURL></MPD>';
const vtt = 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nsprite-001.jpg#xywh=0,0,160,90\n';

const url = 'https://api.example/api/v1/jobs/1/files/stream?o=a&e=t0&s=5d';

describe('the references of a document', () => {
  it('are its distinct filenames', () => {
    expect(findReferences(master, 'm3u8')).toEqual(['media_1.m3u8', 'media_0.m3u8']);
    expect(findReferences(media, 'm3u8')).toEqual(['stream_0.mp4']);
    expect(findReferences(mpd, 'mpd')).toEqual(['stream_0.mp4']);
    expect(findReferences(vtt, 'vtt')).toEqual(['sprite-001.jpg']);
  });

  it('exist only in manifests and VTT files of sprites', () => {
    expect(['m3u8', 'mpd', 'vtt', 'mp4', 'jpg', 'toString'].filter(canReferenceFiles)).toEqual(['m3u8', 'mpd', 'vtt']);
  });

  it.each([
    'https://elsewhere.example/a.mp4',
    '//elsewhere.example/a.mp4',
    '/a.mp4',
    'folder/a.mp4',
    '../a.mp4',
    '../..',
    'a.mp4?versionId=1',
    '%2e%2e%2fa.mp4',
    'data:text/plain,a',
  ])('are plain filenames, not %s', (reference) => {
    expect(() => findReferences(media.replaceAll('stream_0.mp4', reference), 'm3u8')).toThrow(reference);
    expect(() => findReferences(mpd.replace('stream_0.mp4', reference), 'mpd')).toThrow(reference);
  });
});

it.each([
  ['a line with blanks before it', '#EXTM3U\n https://elsewhere.example/a.mp4\n'],
  ['a URI without an end', '#EXTM3U\n#EXT-X-MAP:URI="https://elsewhere.example/a.mp4\n'],
  ['a second URI of a tag', '#EXT-X-MEDIA:URI="a.m3u8",URI="https://elsewhere.example/b.m3u8"\n'],
])('%s is a reference too', (_, text) => expect(() => findReferences(text, 'm3u8')).toThrow('elsewhere.example'));

it('the error of a long hostile name is short', () => {
  const name = '/'.repeat(1_000_000);
  const errors = [
    () => findReferences(name, 'm3u8'),
    () => replaceReferences(name, 'm3u8', new Map()),
    () => assertSetReferences('media_0.m3u8', eachReference(name, 'm3u8')),
  ].map((act) => {
    try {
      return act();
    } catch (error) {
      return error instanceof RangeError && error.message.length < 200;
    }
  });
  expect(errors).toEqual([true, true, true]);
});

it.each<[ReferencingFormat, string, string]>([
  ['m3u8', '#', ' URI="'],
  ['m3u8', '#EXT', ' URI="'],
  ['m3u8', '#EXT-X-KEY:', ' URI="'],
  ['m3u8', 'a', ' URI="'],
  ['m3u8', '#EXT\n', '\n '],
  ['mpd', '', '<BaseURL>'],
  ['mpd', '<BaseURL>', '<BaseURL'],
  ['vtt', '', 'a#xywh=1'],
  ['vtt', 'a#xywh=', '1'],
  ['vtt', '', 'a'],
])(
  'a long hostile text takes as long as the same text in 32 excerpts %s of "%s" and many "%s"',
  (format, first, repeated) => {
    const read = (text: string) => {
      const names = [...eachReference(text, format)];
      replaceReferences(text, format, new Map(names.map((name) => [name, 'url'])));
    };
    expect(timeOverExcerpts(read, { first, repeated, length: 128_000 })).toBeLessThan(8);
  },
);

describe('a document with replaced references', () => {
  it('keeps everything else', () => {
    const text = replaceReferences(media, 'm3u8', new Map([['stream_0.mp4', url]]));
    expect(text).toBe(media.replaceAll('stream_0.mp4', url));
    expect(replaceReferences(vtt, 'vtt', new Map([['sprite-001.jpg', url]]))).toContain(`${url}#xywh=0,0,160,90\n`);
  });

  it('is still valid XML', () => {
    const text = replaceReferences(mpd, 'mpd', new Map([['stream_0.mp4', url]]));
    expect(text).toContain('<BaseURL>https://api.example/api/v1/jobs/1/files/stream?o=a&amp;e=t0&amp;s=5d<');
  });

  it('needs a URL for each filename', () => {
    expect(() => replaceReferences(master, 'm3u8', new Map([['media_0.m3u8', url]]))).toThrow('media_1.m3u8');
  });
});
