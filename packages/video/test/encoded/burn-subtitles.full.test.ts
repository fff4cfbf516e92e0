// @module-tag subtitles
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { writeTestFile } from '../builders/media/hostile-files.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

it('burnt-in subtitles may have 100,000 cues', async () => {
  const cue = (index: number) => {
    const hour = `0${1 + (index % 9)}`;
    return `${index}\n${hour}:00:01,000 --> ${hour}:00:01,001\n${index}\n`;
  };
  const first = '1\n00:00:00,500 --> 00:00:01,500\nfirst\n';
  const content = first + Array.from({ length: 100_000 }, (_, index) => `\n${cue(index + 2)}`).join('');
  const subtitles = await writeTestFile(await aTemporaryFolder(), 'a.srt', content);
  const grey = ['-f', 'lavfi', '-i', 'color=gray:size=320x180:rate=5:duration=2', '-c:v', 'libx264'];
  const source = await generatedFile('grey.mp4', grey);
  const request = { name: 'burn-subtitles', subtitles: 'https://example.com/a.srt', fontSize: 10 } as const;
  const { path } = await encodeOne({ inputs: [source], assets: { subtitles } }, 'mp4', request);
  const { width, height, colour } = await decodeFrameAt(path, 1);
  const brightness = Array.from({ length: width * height }, (_, index) =>
    Math.min(...colour(index % width, Math.floor(index / width))),
  );
  expect(brightness.some((value) => value > 190)).toBe(true);
});
