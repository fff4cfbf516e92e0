import { expect, it } from 'vitest';
import { concatListInput, inputGuards } from '../../../src/media/ffmpeg/command.ts';

it('a concat list has the path and duration of each file, with quotes escaped', () => {
  const { path, options, isConcatList } = concatListInput([
    { path: "/job's/ü-1.mp4", seconds: 1.001 },
    { path: '/job/2.mp4', seconds: 2 / 3 },
  ]);
  const [kind, text = ''] = path.split(',');
  expect([kind, options, isConcatList]).toEqual(['data:text/plain;base64', ['-f', 'concat', '-safe', '0'], true]);
  expect(Buffer.from(text, 'base64').toString('utf8').split('\n')).toEqual([
    'ffconcat version 1.0',
    "file 'file:/job'\\''s/ü-1.mp4'",
    'duration 1.001000',
    "file 'file:/job/2.mp4'",
    'duration 0.666667',
    '',
  ]);
});

it('a concat list of remote files has their URLs and allows no local file', () => {
  const { path, ...kind } = concatListInput([{ path: 'http://127.0.0.1:1/a/0', seconds: 1 }], { areRemote: true });
  expect(
    Buffer.from(path.split(',')[1] ?? '', 'base64')
      .toString('utf8')
      .split('\n')[1],
  ).toBe("file 'http://127.0.0.1:1/a/0'");
  const guards = inputGuards({ maxPixels: 100 }, kind).join(' ');
  expect(guards).toMatch(/^-protocol_whitelist http,tcp,data .*,concat /);
  // The list is no URL: ffmpeg would reject an HTTP option for it.
  expect(guards).not.toContain('short_seek_size');
});

it('only a concat list may refer to other files', () => {
  const bounds = { maxPixels: 100 };
  for (const kind of [{}, { isTrusted: true }, { isSubtitles: true }, { isRemote: true }]) {
    expect(inputGuards(bounds, kind).join(' ')).not.toMatch(/concat|data/);
  }
  expect(inputGuards(bounds, { isConcatList: true }).join(' ')).toMatch(/-protocol_whitelist file,data .*,concat /);
});
