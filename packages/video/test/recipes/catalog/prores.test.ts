import { describe, expect, it } from 'vitest';
import { transcode } from '../../../src/recipes/catalog/video/transcode.ts';

describe('transcode to ProRes', () => {
  it('is accepted in mov with a profile of ProRes', () => {
    expect(transcode.conflicts({ codec: 'prores', profile: 'lt' }, 'mov')).toEqual([]);
  });

  it.each([
    [{ codec: 'prores' }, 'mp4', 'recipe.codec'],
    [{ codec: 'prores', profile: 'high' }, 'mov', 'recipe.profile'],
    [{ codec: 'prores', crf: 20 }, 'mov', 'recipe.crf'],
    [{ codec: 'h264', profile: 'hq' }, 'mov', 'recipe.profile'],
  ] as const)('with %o in %s is rejected because of %s', (parameters, format, path) => {
    expect(transcode.conflicts(parameters, format).map((error) => error.path)).toEqual([path]);
  });
});
