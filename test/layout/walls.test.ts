import path from 'node:path';
import { expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';
import { stronglyConnected } from './strongly-connected.ts';

/** Each room and the rooms that it may import. A package is imported by its name, the other folders by path. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'packages/testing': [],
  'packages/local-stage': ['packages/testing'],
  'packages/video': ['packages/testing'],
  core: ['packages/video'],
  adapters: ['core', 'packages/video'],
  functions: ['core', 'adapters', 'packages/video'],
  'packages/client': ['core', 'packages/testing'],
  'packages/cli': ['core', 'packages/client', 'packages/testing', 'packages/video'],
  'packages/dashboard': ['core', 'packages/cli', 'packages/client', 'packages/testing', 'packages/video'],
  'packages/conformance': ['packages/testing'],
  'packages/mcp': ['core', 'packages/client', 'packages/testing'],
};

const files = sourceFiles([...Object.keys(rooms), 'lib', 'lab', 'test']);

function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'packages' ? `packages/${second}` : first;
}

/** Every import of a file, types included: the specifier, and the room that it leads to. */
function imports({ path: importer, parsed }: SourceFile): { specifier: string; from: string; to: string }[] {
  const { staticImports, staticExports } = parsed.module;
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
  ];
  const from = roomOf(importer);
  return requests.flatMap((specifier) => {
    const [, named] = /^@media-jobs\/([^/]+)/.exec(specifier) ?? [];
    if (named !== undefined) return [{ specifier, from, to: named === 'core' ? named : `packages/${named}` }];
    if (!specifier.startsWith('.')) return [];
    return [{ specifier, from, to: roomOf(path.join(path.dirname(importer), specifier)) }];
  });
}

const crossings = files.flatMap((file) =>
  imports(file)
    .filter(({ from, to }) => from !== to)
    .map((each) => ({ ...each, file: file.path })),
);

it('a package is imported by its name only', () => {
  const byPath = crossings.filter(({ specifier, to }) => to.startsWith('packages/') && specifier.startsWith('.'));
  expect(byPath.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

it('a room imports the rooms of its row only', () => {
  const isForeign = ({ from, to }: { from: string; to: string }) => rooms[from]?.includes(to) === false;
  // A test of a program may read its manifest.
  const foreign = crossings.filter((each) => isForeign(each) && each.to !== 'package.json');
  expect(foreign.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

it('no package depends on itself through others', () => {
  const graph = new Map(Object.entries(rooms).map(([room, others]) => [room, new Set(others)]));
  expect(stronglyConnected(graph)).toEqual([]);
  expect(crossings.length).toBeGreaterThan(1_000);
});
