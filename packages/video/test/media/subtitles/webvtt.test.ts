import { describe, expect, it } from 'vitest';
import { readCues, readEncodedCues, segmentCues, writeCues } from '../../../src/media/subtitles/webvtt.ts';

const document = `WEBVTT

NOTE a comment

1
00:01.000 --> 00:02.500 align:start
<i>Grüße</i>
zweite Zeile

01:00:00.000 --> 01:00:00.000
never shown

00:00.900 --> 1193:02:47.496 line:0
ends before it starts, as ffmpeg writes it

00:05.000 --> 00:14.000
long
`;

describe('a WebVTT document', () => {
  it('is read as its cues, without their numbers and other blocks', () => {
    expect(readCues(document)).toEqual([
      { startSeconds: 1, endSeconds: 2.5, text: '00:01.000 --> 00:02.500 align:start\n<i>Grüße</i>\nzweite Zeile' },
      { startSeconds: 5, endSeconds: 14, text: '00:05.000 --> 00:14.000\nlong' },
    ]);
    expect(readCues(document.replaceAll('\n', '\r\n'))).toEqual(readCues(document));
  });

  it('is written from its cues, and read again as the same', () => {
    const cues = readCues(document);
    expect(writeCues(cues)).toMatch(/^WEBVTT\n\n00:01\.000 --> .*long\n$/s);
    expect(readCues(writeCues(cues))).toEqual(cues);
    expect(writeCues([])).toBe('WEBVTT\n');
  });

  it('of an encoder keeps its tags, and its other characters are escaped', () => {
    const encoded =
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<i>Tom</i> & Ann <3\n\n1 --> 2 &amp; <font>\n\n\n01:00:03.000 --> 01:00:04.000\n<b>4</b>\n\n';
    expect(writeCues(readEncodedCues(encoded))).toBe(
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<i>Tom</i> &amp; Ann &lt;3\n1 --&gt; 2 &amp;amp; &lt;font>\n\n01:00:03.000 --> 01:00:04.000\n<b>4</b>\n',
    );
    expect(readEncodedCues('WEBVTT\n\n')).toEqual([]);
  });
});

describe('the segments of a WebVTT document', () => {
  const cut = segmentCues(readCues(document), { segmentSeconds: 6, durationSeconds: 20 });
  const bytes = new TextEncoder().encode(cut.text);
  const texts = cut.segments.map(({ offset, sizeBytes }) =>
    new TextDecoder().decode(bytes.subarray(offset, offset + sizeBytes)),
  );

  it('follow one another in one file, and last as long as the video', () => {
    expect(texts.join('')).toBe(cut.text);
    expect(cut.segments.map(({ seconds }) => seconds)).toEqual([6, 6, 6, 2]);
  });

  it('are documents of their own on the clock of the media', () => {
    for (const text of texts) expect(text).toMatch(/^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00\.000\n\n/);
  });

  it('each have the cues that show in them', () => {
    expect(texts.map((text) => readCues(text).map(({ startSeconds }) => startSeconds))).toEqual([[1, 5], [5], [5], []]);
  });

  it('are rejected if cues that show for hours would fill the disk', () => {
    const cue = { startSeconds: 0, endSeconds: 14_400, text: `00:00.000 --> 04:00:00.000\n${'x'.repeat(100)}` };
    const many = Array.from({ length: 100 }, () => cue);
    expect(() => segmentCues(many, { segmentSeconds: 2, durationSeconds: 14_400 })).toThrow(/16000000 bytes/);
  });

  it('never leave a stream without a segment', () => {
    expect(segmentCues([], { segmentSeconds: 6, durationSeconds: 0.5 }).segments).toHaveLength(1);
  });
});
