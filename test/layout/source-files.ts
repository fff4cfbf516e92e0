import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

const root = path.join(import.meta.dirname, '../..');

/** A parsed source file of this project: `path` is relative to its root. */
export type SourceFile = { path: string; text: string; parsed: ReturnType<typeof parseSync> };

/** Every TypeScript file below these folders. */
export function sourceFiles(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return { path: file, text, parsed: parseSync(file, text) };
    });
}

/** The files of this project that a file loads when it runs: `import type` and imports of types alone are left out. */
export function runtimeImports({ path: importer, parsed }: SourceFile): string[] {
  const { staticImports, staticExports } = parsed.module;
  const imported = staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const reexported = staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : []));
  return [...imported, ...reexported]
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => path.join(path.dirname(importer), specifier));
}
