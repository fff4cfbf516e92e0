import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../build/paths.ts';

/** A program or package that is pinned, and the time of its version; undefined if nothing tells it. */
export type DatedVersion = { name: string; version: string; at: Date | undefined };

/** Programs that read files of clients are replaced by a patched version at the latest after this time. */
export const maxAgeDays = 90;

const dayMs = 24 * 3_600_000;

/** Whole days; undefined for a version without a time. */
export function ageInDays({ at }: Pick<DatedVersion, 'at'>, now: Date): number | undefined {
  return at && Math.floor((now.getTime() - at.getTime()) / dayMs);
}

/** Debian's packages in the image. `snapshot-time` is that of the archive which has these versions as its newest. */
export async function pinnedPackages(): Promise<DatedVersion[]> {
  const read = async (file: string) => (await readFile(path.join(root, 'layers/ffmpeg', file), 'utf8')).trim();
  const at = parseStamp(await read('snapshot-time'));
  return [
    { name: 'ffmpeg of the image', version: await read('version'), at },
    { name: 'fonts of the image', version: await read('fonts-version'), at },
  ];
}

/**
 * The time in a text, such as `20261121T000000Z` or the last part of a version such as `n7.0-7-gd38bf5e08e-20240407`.
 * Undefined without one.
 */
export function parseStamp(text: string): Date | undefined {
  const [, year = '', month = '', day = ''] = /(?<!\d)(20\d\d)([01]\d)([0-3]\d)(?!\d)/.exec(text) ?? [];
  return year === '' ? undefined : new Date(`${year}-${month}-${day}T00:00:00.000Z`);
}
