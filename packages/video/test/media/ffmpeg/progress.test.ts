import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandProgress, isTooLong, progressParser } from '../../../src/media/ffmpeg/ffmpeg-output.ts';

const block = (lines: string[], end = 'continue') => `${[...lines, `progress=${end}`].join('\n')}\n`;

describe('the progress parser', () => {
  it('reads microseconds from out_time_us, not from out_time_ms', () => {
    const [report] = progressParser()(
      block(['frame=30', 'total_size=1234', 'out_time_us=1500000', 'out_time_ms=1500000', 'speed=2.5x']),
    );
    expect(report).toEqual({ frames: 30, bytes: 1234, seconds: 1.5, speed: 2.5, isLast: false });
  });

  it('leaves out missing values', () => {
    const [report] = progressParser()(block(['frame=0', 'total_size=N/A', 'out_time_us=N/A', 'speed=N/A']));
    expect(report).toEqual({ frames: 0, isLast: false });
  });

  it('returns no negative time', () => {
    expect(progressParser()(block(['out_time_us=-46439']))[0]).toMatchObject({ seconds: 0 });
  });

  it('returns the same reports however the text is split', () => {
    const text = block(['frame=1', 'out_time_us=40000']) + block(['frame=2', 'out_time_us=80000'], 'end');
    const whole = progressParser()(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const read = progressParser();
        const marks = [0, ...cuts.sort((a, b) => a - b), text.length];
        const chunks = marks.slice(1).map((mark, index) => text.slice(marks[index], mark));
        expect(chunks.flatMap(read)).toEqual(whole);
      }),
    );
    expect(whole.map(({ isLast }) => isLast)).toEqual([false, true]);
  });
});

describe('the progress of a command', () => {
  it('is the share of the duration, with the remaining time', () => {
    expect(commandProgress(10)({ seconds: 2.5, speed: 0.5, isLast: false })).toEqual({
      percent: 25,
      speed: 0.5,
      remainingSeconds: 15,
    });
  });

  it('stays at 99 after the last report', () => {
    expect(commandProgress(10)({ seconds: 11, isLast: true }).percent).toBe(99);
  });

  it('never decreases', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.double({ min: 0, max: 20, noNaN: true }), { nil: undefined })), (times) => {
        const progress = commandProgress(10);
        const percents = times.map((seconds) => progress({ seconds, isLast: false }).percent);
        expect(percents).toEqual(percents.toSorted((a, b) => a - b));
        for (const percent of percents) expect(percent).toBeLessThanOrEqual(99);
      }),
    );
  });

  it('is 0 while the duration is unknown', () => {
    expect(commandProgress()({ seconds: 5, speed: 1, isLast: false })).toEqual({ percent: 0, speed: 1 });
  });
});

it.each([
  ['once it has written more than twice the plan and a minute', { seconds: 81, frames: 2_025 }, true],
  ['not while timestamps may explain it', { seconds: 80, frames: 2_000 }, false],
  ['not for a few images that are an hour apart', { seconds: 7_200, frames: 3 }, false],
  ['without video, which has no frames', { seconds: 81 }, true],
  ['once it has more frames than fit, if its audio ended early', { seconds: 1, frames: 9_601 }, true],
  ['not while its frames fit', { seconds: 1, frames: 9_600 }, false],
  ['not before it has written anything', {}, false],
])('a run is too long %s', (_, report, expected) => {
  expect(isTooLong({ ...report, isLast: false }, { plannedSeconds: 10, maxFps: 120 })).toBe(expected);
});
