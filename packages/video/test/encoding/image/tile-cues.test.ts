import { describe, expect, it } from 'vitest';
import { type Tiling, tileCounts, tileCues } from '../../../src/encoding/image/tile-frames.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { plan } from '../../builders/recipes/plan.ts';

const tiling: Tiling = {
  tile: { width: 160, height: 90 },
  columns: 2,
  rows: 2,
  intervalSeconds: 5,
  durationSeconds: 22.5,
};
const sheets = ['a.jpg', 'b.jpg'];

describe('the VTT file of a sprite', () => {
  it('has a cue per frame, row by row over the sheets, until the end of the video', () => {
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

  it('has cues with hours', () => {
    const longVideo = { ...tiling, intervalSeconds: 600, durationSeconds: 7384.25, columns: 10, rows: 10 };
    expect(tileCues(longVideo, sheets)).toContain('02:00:00.000 --> 02:03:04.250\na.jpg#xywh=320,90,160,90\n');
  });

  it.each([
    [22.5, 5, { tiles: 5, sheets: 2 }],
    [20, 5, { tiles: 4, sheets: 1 }],
    [7.2, 0.6, { tiles: 12, sheets: 3 }],
    [0.04, 5, { tiles: 1, sheets: 1 }],
  ])('has a cue per interval: %d s, every %d s', (durationSeconds, intervalSeconds, counts) => {
    expect(tileCounts({ ...tiling, durationSeconds, intervalSeconds })).toEqual(counts);
  });
});

describe('a sprite of too many frames', () => {
  const twoHours = aProbe([aVideoStream({ durationSeconds: 7200 })], { durationSeconds: 7200 });

  it.each([
    [{ every: 1 }, 'A frame every 1 s makes 7200 frames on 72 sheets; the limit is 2000 frames. Use 4 s or more'],
    [{ every: 5, columns: 2, rows: 2 }, 'makes 1440 frames on 360 sheets; the limit is 200 frames. Use 36 s or more'],
  ])('is rejected with the interval that fits: %j', (parameters, message) => {
    expect(() => plan({ name: 'sprite', ...parameters }, 'jpg', twoHours)).toThrow(message);
  });
});
