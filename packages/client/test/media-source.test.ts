import { expect, it } from 'vitest';
import { openSource } from '../src/media-source.ts';

it('the error of a file that is not there names its path', async () => {
  await expect(openSource('/nowhere/holiday.mov')).rejects.toThrow(/ENOENT.*\/nowhere\/holiday\.mov/);
});
