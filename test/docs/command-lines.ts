import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/build/paths.ts';

const isForeign = (folder: string) => /^(node_modules|cdk\.out|dist|\..+)$/.test(path.basename(folder));

/** All pages of the project, relative to it. */
export const pages = globSync('**/*.md', { cwd: root, exclude: isForeign });

export function readPage(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}

/**
 * What follows a command on a page, up to the end of its line, its code or its pipe: `--stage dev` after
 * `npm run deploy:preflight --`.
 *
 * @param command a regular expression
 */
export function argumentsAfter(page: string, command: string): string[] {
  const text = readPage(page).replaceAll('\\\n', ' ');
  return [...text.matchAll(new RegExp(`(?<![\\w-])${command} ([^\`\\n|>#&)]+)`, 'g'))].map(([, rest = '']) =>
    rest.trim(),
  );
}

/** The long options in the arguments of a command. */
export function longOptions(text: string): string[] {
  return [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option);
}
