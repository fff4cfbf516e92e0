import { readdirSync, readFileSync } from 'node:fs';

/** Wall seconds and CPU seconds of a task. */
export type Usage = { wall: number; processor: number };

// Linux reports in ticks of 1/100 s on every architecture that Node supports.
const ticksPerSecond = 100;

/** Measures the time of an action, in this process and in the programs that it starts and waits for. Linux only. */
export async function measureUsage<Result>(act: () => Promise<Result>): Promise<Usage & { result: Result }> {
  const [startedAt, before] = [performance.now(), usedSeconds()];
  const result = await act();
  return { wall: (performance.now() - startedAt) / 1000, processor: usedSeconds() - before, result };
}

/** CPU seconds of this process and of its ended descendants. */
export function usedSeconds(): number {
  return read('self')?.seconds ?? 0;
}

/** CPU seconds of this process and of all of its descendants, also of those that still run, such as the sandboxes of a stage. */
export function treeSeconds(): number {
  return descendants().reduce((sum, { seconds }) => sum + seconds, usedSeconds());
}

/**
 * Measures an action on a stage in this process: CPU seconds of what it started, ended or not, such as functions and tasks, and
 * apart those of this process, which has the emulators of AWS.
 */
export async function measureStage<Result>(
  act: () => Promise<Result>,
): Promise<{ result: Result; seconds: number; emulators: number }> {
  const started = () => descendants().reduce((sum, { seconds }) => sum + seconds, read('self')?.ofEndedChildren ?? 0);
  const [before, allBefore] = [started(), treeSeconds()];
  const result = await act();
  const seconds = started() - before;
  return { result, seconds, emulators: treeSeconds() - allBefore - seconds };
}

/** A process, by its program's name, with the CPU seconds of itself and of its ended children. */
export type Process = { id: number; name: string; parent: number; seconds: number; ofEndedChildren: number };

/** The running processes below one. */
export function descendants(root = process.pid): Process[] {
  const all = readdirSync('/proc').flatMap((id) => (/^\d+$/.test(id) ? (read(id) ?? []) : []));
  const children = Map.groupBy(all, ({ parent }) => parent);
  const below = (id: number): Process[] => (children.get(id) ?? []).flatMap((child) => [child, ...below(child.id)]);
  return below(root);
}

/** Undefined if the process has exited. */
function read(id: string): Process | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The second field is the program's name in brackets, which may contain spaces.
    const fields = text.split(') ').at(-1)?.split(' ') ?? [];
    const secondsOf = (first: number, end: number) =>
      fields.slice(first, end).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond;
    const name = /\((.*)\) /.exec(text)?.[1] ?? '';
    const process = { id: Number.parseInt(text, 10), name, parent: Number(fields[1]) };
    return { ...process, seconds: secondsOf(11, 15), ofEndedChildren: secondsOf(13, 15) };
  } catch {
    return undefined;
  }
}
