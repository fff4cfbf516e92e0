import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../../core/api/registry.ts';
import { entries } from '../../../lib/build/entries.ts';
import { root } from '../../../lib/build/paths.ts';

describe('the functions of a stage', () => {
  it.each(entries(contracts))('hold the handler of $name in $file', ({ file }) => {
    expect(existsSync(path.join(root, file))).toBe(true);
  });

  it('have unique names', () => {
    const names = entries(contracts).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
