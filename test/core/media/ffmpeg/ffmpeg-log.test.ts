import { expect, it } from 'vitest';
import { lastErrorLine, sanitizeLog } from '../../../../core/media/ffmpeg/ffmpeg-log.ts';

it('keeps lines and tabs of a log and drops what could command a terminal', () => {
  expect(sanitizeLog('title\t: \u001b[2Jboo\u0000\u202e\r\nframe=1\rframe=2\n')).toBe(
    'title\t: [2Jboo\nframe=1\nframe=2\n',
  );
});

it('finds the last complaint among what is only said', () => {
  const log = '[x @ 0x1] [error] first\n[fatal] second\n[info] frame=1\nConversion failed!\n';
  expect(lastErrorLine(log)).toBe('second');
});

it('takes the last line where nothing is marked as a complaint', () => {
  expect(lastErrorLine('one\ntwo\n\n')).toBe('two');
  expect(lastErrorLine('')).toBeUndefined();
});
