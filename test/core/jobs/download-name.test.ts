import { describe, expect, it } from 'vitest';
import { downloadName } from '../../../core/jobs/request-inputs.ts';

const single = { name: 'output', filename: 'output.mp4' };
const encoded = (name: string) => `https://example.com/${encodeURIComponent(name)}`;

describe('the filename of a download', () => {
  it.each([
    ['https://example.com/films/holiday.mov', 'holiday.mp4'],
    ['https://example.com/holiday.mov?sig=a/b.mkv#t=1', 'holiday.mp4'],
    ['https://example.com/Se%C3%B1or%20M%C3%BCller%20(1).MOV', 'Señor Müller (1).mp4'],
    ['https://example.com/%zz.mp4', '%zz.mp4'],
    ['https://example.com/%E9t%E9.mp4', 'été.mp4'],
    ['https://example.com/v1.2.release.mp4', 'v1.2.release.mp4'],
    ['https://example.com/$&.mp4', '$&.mp4'],
    ['upload://019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11/film.mkv', 'film.mp4'],
    ['https://example.com/', 'output.mp4'],
    ['https://example.com', 'output.mp4'],
  ])('for %s is %s', (url, expected) => expect(downloadName({ url }, single)).toBe(expected));

  it.each([
    '日本語',
    'Отпуск 2024',
    'עברית',
    'العربية',
    'हिन्दी',
    'ภาษาไทย',
    'Ελληνικά',
    '한국어',
    'नमस्ते',
    'می‌خواهم',
    '👩‍👩‍👧',
  ])('keeps every script: %s', (name) => {
    expect(downloadName({ url: encoded(`${name}.mov`) }, single)).toBe(`${name}.mp4`);
    expect(downloadName({ url: `https://example.com/${name}.mov` }, single)).toBe(`${name}.mp4`);
  });

  it('joins marks with their letters', () => {
    expect(downloadName({ url: encoded('e\u0301te\u0301.mov') }, single)).toBe('été.mp4');
  });

  it.each([
    ['a"\r\nSet-Cookie: x.mp4', 'a- Set-Cookie- x.mp4'],
    ['../../etc/passwd', 'etc-passwd.mp4'],
    ['..\\..\\C:\\file', 'C-file.mp4'],
    ['film\u202e4pm.exe', 'film4pm.mp4'],
    ['a\u0000b\u200bc\u2066d\ufeffe\u2028f.mp4', 'abcde f.mp4'],
    ['...', 'output.mp4'],
    [' \u200d. ', 'output.mp4'],
    ['con.mp4', '_con.mp4'],
    ['-rf.mp4', 'rf.mp4'],
    ['a<b>:"|?*c.mp4', 'a-b-c.mp4'],
    [`${'日'.repeat(300)}.mp4`, `${'日'.repeat(50)}.mp4`],
    [`${'👩‍👩‍👧'.repeat(30)}.mp4`, `${'👩‍👩‍👧'.repeat(8)}.mp4`],
  ])('is clean: %j', (name, expected) => {
    expect(downloadName({ url: encoded(name) }, single)).toBe(expected);
    expect(Buffer.byteLength(downloadName({ url: encoded(name) }, single))).toBeLessThan(200);
  });

  it('is that which the host states, unless nothing is left of it', () => {
    const url = 'https://example.com/download';
    expect(downloadName({ url, statedName: 'Ferien.mov' }, single)).toBe('Ferien.mp4');
    expect(downloadName({ url, statedName: '..' }, single)).toBe('download.mp4');
    expect(downloadName({ url, statedName: 'a\ud800.mov' }, single)).toBe('a.mp4');
  });

  it('has the name of the output if there are several', () => {
    const second = { name: 'thumbnail-002', filename: 'thumbnail-002.jpg' };
    const url = 'https://example.com/holiday.mov';
    expect(downloadName({ url }, second)).toBe('holiday-thumbnail-002.jpg');
  });
});
