import { describe, expect, it } from 'vitest';
import { packetsOf, tagsOf } from '../builders/measure/packets.ts';
import { editedClip } from '../builders/media/edited-clip.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const hashes = async (path: string) => (await packetsOf(path, 'v:0')).map(({ hash }) => hash);

describe('ProRes in MOV', () => {
  it.each(['mute', 'normalize-audio'] as const)(
    '%s copies the video, with its chapters and its time code',
    async (name) => {
      const source = await editedClip('mov', 'prores');
      const { path } = await encodeOne(source, 'mov', { name });
      expect(await hashes(path)).toEqual(await hashes(source));
      expect(await tagsOf(path)).toMatchObject({
        chapters: ['Opening', 'Credits'],
        timecode: '10:00:00:00',
        title: undefined,
      });
    },
  );
});
