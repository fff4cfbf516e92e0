import { formats } from '../../media/formats.ts';

/** The kinds of files from those that are made fast to those that take the longest. */
const fastFirst = ['data', 'subtitle', 'image', 'audio', 'video', 'playlist'] as const;

/**
 * The names of outputs in the order in which they are made: of those that can be made, the fast ones first. It depends on the
 * request alone, so every worker of a job has the same.
 * @throws TypeError for outputs that read each other in a circle, or one that does not exist
 */
export function runOrder(outputs: Readonly<Record<string, { from?: string | undefined; format: string }>>): string[] {
  const open = new Map(Object.entries(outputs));
  const names: string[] = [];
  const rankOf = ({ format }: { format: string }) =>
    fastFirst.findIndex((fileType) =>
      Object.entries(formats).some(([name, each]) => name === format && each.fileType === fileType),
    );
  while (open.size > 0) {
    const ready = [...open].filter(([, { from }]) => from === undefined || names.includes(from));
    const [[next] = []] = ready.toSorted(([, one], [, other]) => rankOf(one) - rankOf(other));
    if (next === undefined) throw new TypeError('The outputs of a job read each other in a circle');
    names.push(next);
    open.delete(next);
  }
  return names;
}
