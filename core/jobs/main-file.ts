import type { StoredFile } from './stored-file.ts';

/**
 * The files of a job of several outputs, with the main file of each set under the name of its output: its HLS playlist, the
 * cues of its sprite, or its first file.
 */
export function withMainFiles(files: Readonly<Record<string, StoredFile>>): Record<string, StoredFile> {
  const bySet = Map.groupBy(
    Object.entries(files).filter(([name]) => name.includes('/')),
    ([name]) => name.slice(0, name.indexOf('/')),
  );
  const main = [...bySet].flatMap(([output, ofSet]) => {
    const [first] = ofSet;
    const [, file] = ofSet.find(([name]) => [`${output}/hls`, `${output}/vtt`].includes(name)) ?? first ?? [];
    return file === undefined ? [] : [[output, file] as const];
  });
  return { ...files, ...Object.fromEntries(main) };
}
