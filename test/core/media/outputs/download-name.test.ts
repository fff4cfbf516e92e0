import { describe, expect, it } from 'vitest';
import { downloadName } from '../../../../core/media/outputs/download-name.ts';

const single = { name: 'output', filename: 'output.mp4' };

describe('the filename of a download', () => {
  it.each([
    ['https://example.com/films/holiday.mov', 'holiday.mp4'],
    ['https://example.com/holiday.mov?sig=a/b.mkv#t=1', 'holiday.mp4'],
    ['https://example.com/Se%C3%B1or%20M%C3%BCller%20(1).MOV', 'Senor-Muller-1.mp4'],
    ['https://example.com/a%22%0d%0aSet-Cookie:%20x.mp4', 'a-Set-Cookie-x.mp4'],
    ['https://example.com/..%2f..%2fetc%2fpasswd', 'etc-passwd.mp4'],
    ['https://example.com/%zz.mp4', 'zz.mp4'],
    ['https://example.com/v1.2.release.mp4', 'v1.2.release.mp4'],
    [`https://example.com/${'x'.repeat(300)}.mp4`, `${'x'.repeat(80)}.mp4`],
    ['upload://019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11/film.mkv', 'film.mp4'],
    ['https://example.com/', 'output.mp4'],
    ['https://example.com/%E6%97%A5%E6%9C%AC.mp4', 'output.mp4'],
  ])('for %s is %s', (url, expected) => {
    expect(downloadName(url, single)).toBe(expected);
  });

  it('has the name of the output if there are several', () => {
    const second = { name: 'thumbnail-002', filename: 'thumbnail-002.jpg' };
    expect(downloadName('https://example.com/holiday.mov', second)).toBe('holiday-thumbnail-002.jpg');
  });
});
