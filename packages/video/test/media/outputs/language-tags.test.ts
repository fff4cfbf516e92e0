import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { trackTags, writeLanguageTags } from '../../../src/media/outputs/language-tags.ts';
import { editFile } from '../../../src/runner/workspace.ts';
import { bareFfmpeg, bareFfprobe } from '../../builders/media/bare-ffmpeg.ts';
import { anEncoder } from '../../builders/recipes/encode.ts';

it.each([
  ['mp4', 'a|language=de|||'],
  ['mov', 'a|language=de|||'],
  ['mp4', 'é'.repeat(130)],
  ['mov', 'é'.repeat(130)],
] as const)('a track of %s has its tag beside the title %s', async (format, title) => {
  const folder = await aTemporaryFolder();
  const command = trackTags({ language: 'por', tag: 'pt-BR', title }, { kind: 'a', format });
  const path = join(folder, `a.${format}`);
  await bareFfmpeg([
    ...'-v error -f lavfi -i sine=duration=1 -map 0 -map 0'.split(' '),
    ...Object.entries(command).flatMap(([key, value]) => ['-metadata:s:a:0', `${key}=${value}`]),
    path,
  ]);
  await using file = await editFile(path);
  await writeLanguageTags(file);
  const {
    streams: [audio],
  } = await anEncoder().probe(path);
  expect(audio?.languageTag).toBe('pt-BR');
  const [name] = await bareFfprobe([...'-of csv=p=0 -show_entries stream_tags=handler_name'.split(' '), path]);
  expect(name).toBe(format === 'mp4' ? title : title.slice(0, 63));
});
