import path from 'node:path';
import { expect, it } from 'vitest';
import { runtimeImports, sourceFiles } from './source-files.ts';
import { stronglyConnected } from './strongly-connected.ts';

const folders = ['core', 'adapters', 'functions', 'lib', 'packages', 'lab', 'test'];

it('no folder depends on a folder that depends on it', () => {
  const imports = new Map<string, Set<string>>();
  const examples = new Map<string, string>();
  for (const file of sourceFiles(folders)) {
    const from = path.dirname(file.path);
    for (const imported of runtimeImports(file)) {
      const to = path.dirname(imported);
      if (isSameOrNested(from, to)) continue;
      imports.set(from, (imports.get(from) ?? new Set()).add(to));
      examples.set(`${from} ${to}`, `${file.path} imports ${imported}`);
    }
  }
  const cycles = stronglyConnected(imports).map((cycle) =>
    cycle.flatMap((from) => cycle.flatMap((to) => examples.get(`${from} ${to}`) ?? [])),
  );
  expect(cycles).toEqual([]);
});

/** A folder and the folders in it are one subject: a registry imports its entries, and they share its types. */
function isSameOrNested(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
