import { describe, expect, it } from 'vitest';
import { type Tiling, tileCounts, tileCues } from '../../../../core/encoding/image/tile-cues.ts';
import { aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';
import { plan } from '../../../builders/recipes/plan.ts';

const tiling: Tiling = {
  tile: { width: 160, height: 90 },
  columns: 2,
  rows: 2,
  intervalSeconds: 5,
  durationSeconds: 22.5,
};
const sheets = ['a.jpg', 'b.jpg'];

describe('the cues of pictures', () => {
  it('go over the sheets row by row, the last one to the end', () => {
    expect(tileCues(tiling, sheets)).toBe(
      [
        'WEBVTT\n',
        '00:00:00.000 --> 00:00:05.000\na.jpg#xywh=0,0,160,90\n',
        '00:00:05.000 --> 00:00:10.000\na.jpg#xywh=160,0,160,90\n',
        '00:00:10.000 --> 00:00:15.000\na.jpg#xywh=0,90,160,90\n',
        '00:00:15.000 --> 00:00:20.000\na.jpg#xywh=160,90,160,90\n',
        '00:00:20.000 --> 00:00:22.500\nb.jpg#xywh=0,0,160,90\n',
      ].join('\n'),
    );
  });

  it('count hours', () => {
    const film = { ...tiling, intervalSeconds: 600, durationSeconds: 7384.25, columns: 10, rows: 10 };
    expect(tileCues(film, sheets)).toContain('02:00:00.000 --> 02:03:04.250\na.jpg#xywh=320,90,160,90\n');
  });

  it.each([
    [22.5, 5, { tiles: 5, sheets: 2 }],
    [20, 5, { tiles: 4, sheets: 1 }],
    [7.2, 0.6, { tiles: 12, sheets: 3 }],
    [0.04, 5, { tiles: 1, sheets: 1 }],
  ])('are as many as fit: %d s, every %d s', (durationSeconds, intervalSeconds, counts) => {
    expect(tileCounts({ ...tiling, durationSeconds, intervalSeconds })).toEqual(counts);
  });
});

describe('a sprite of too many pictures', () => {
  const twoHours = aProbe([aVideoStream({ durationSeconds: 7200 })], { durationSeconds: 7200 });

  it.each([
    [{ every: 1 }, 'A picture every 1 s makes 7200 on 72 sheets, and the limit is 2000; use 4 s or more'],
    [{ every: 5, columns: 2, rows: 2 }, 'makes 1440 on 360 sheets, and the limit is 200; use 36 s or more'],
  ])('is refused, and says what would fit: %j', (parameters, message) => {
    expect(() => plan({ name: 'sprite', ...parameters }, 'jpg', twoHours)).toThrow(message);
  });
});
