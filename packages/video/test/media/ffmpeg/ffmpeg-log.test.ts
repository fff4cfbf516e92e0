import { expect, it } from 'vitest';
import { lastErrorLine, sanitizeLog } from '../../../src/media/ffmpeg/ffmpeg-output.ts';

it('a sanitized log keeps lines and tabs and has no terminal commands', () => {
  expect(sanitizeLog('title\t: \u001b[2Jboo\u0000\u202e\r\nframe=1\rframe=2\n')).toBe(
    'title\t: [2Jboo\nframe=1\nframe=2\n',
  );
});

it('the last error line is found among other lines', () => {
  const log = '[x @ 0x1] [error] first\n[fatal] second\n[info] frame=1\nConversion failed!\n';
  expect(lastErrorLine(log)).toBe('second');
});

it('the last line is used if no line is an error', () => {
  expect(lastErrorLine('one\ntwo\n\n')).toBe('two');
  expect(lastErrorLine('')).toBeUndefined();
});
