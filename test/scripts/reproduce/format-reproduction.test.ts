import { expect, it } from 'vitest';
import { formatReproduction, isSame } from '../../../scripts/reproduce/format-reproduction.ts';

const different = { name: 'output', result: 'different', differentFrames: 3, frames: 9, ssim: 0.99 } as const;
const reproduction = (job: string, file: Parameters<typeof formatReproduction>[0]['files'][number]) =>
  formatReproduction({
    attempt: 1,
    commands: 1,
    ffmpeg: { job, here: 'ffmpeg version 7.0' },
    files: [file],
  });

it('a difference is explained by the versions of ffmpeg', () => {
  expect(reproduction('ffmpeg version 7.1.5', different)).toMatch(
    /DIFFERENT: 3 of 9 .*\nThe job ran ffmpeg version 7\.1\.5: another version of an encoder writes other frames\.$/,
  );
  expect(reproduction('ffmpeg version 7.0', different)).toMatch(
    /\nBoth are the same version of ffmpeg: other libraries/,
  );
  expect(reproduction('ffmpeg version 7.1.5', { name: 'output', result: 'same bytes', bytes: 9 })).toMatch(
    /byte by byte: 9 bytes$/,
  );
});

const sameBytes = { name: 'output', result: 'same bytes', bytes: 9 } as const;
const sameFrames = { name: 'output', result: 'same frames', frames: 9 } as const;
const differentBytes = { name: 'output', result: 'different bytes' } as const;
const notCompared = { name: 'output', result: 'not compared' } as const;

it.each([
  { files: [sameBytes, sameFrames, notCompared], expected: true },
  { files: [sameBytes, different], expected: false },
  { files: [sameBytes, differentBytes], expected: false },
  { files: [notCompared], expected: false },
  { files: [], expected: true },
])('a reproduction of $files is the same: $expected', ({ files, expected }) => {
  const ffmpeg = { job: 'ffmpeg version 7.0', here: 'ffmpeg version 7.0' };
  expect(isSame({ attempt: 1, commands: 1, ffmpeg, files })).toBe(expected);
});
