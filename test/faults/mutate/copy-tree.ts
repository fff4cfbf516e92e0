import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyEdit, type Edit } from './mutant.ts';

const root = join(import.meta.dirname, '../../..');
const needed = [
  'core',
  'adapters',
  'functions',
  'lib',
  'local',
  'test',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

export type Tree = {
  directory: string;
  /** Applies the edits, runs `work`, and reverts them. */
  edited<T>(edits: readonly Edit[], work: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
};

/** A copy of the sources for mutations, with the installed packages of the original. */
export async function copyTree(): Promise<Tree> {
  const directory = await mkdtemp(join(tmpdir(), 'mutants-'));
  for (const name of needed) await cp(join(root, name), join(directory, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  return {
    directory,
    edited: async (edits, work) => {
      const originals = new Map<string, string>();
      try {
        for (const edit of edits) {
          const path = join(directory, edit.file);
          const text = await readFile(path, 'utf8');
          if (!originals.has(path)) originals.set(path, text);
          await writeFile(path, applyEdit(text, edit));
        }
        return await work();
      } finally {
        for (const [path, text] of originals) await writeFile(path, text);
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
