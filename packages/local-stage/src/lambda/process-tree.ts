import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Kills a process, its process group, and all descendants with their groups: a child may have started its own group.
 *
 * @param pid of a process group leader
 */
export function killProcessTree(pid: number): void {
  const descendants = descendantsOf(pid);
  killQuietly(-pid);
  for (const descendant of descendants) {
    killQuietly(-descendant);
    killQuietly(descendant);
  }
}

function killQuietly(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch (error) {
    // ESRCH: the process has ended, or leads no group. EPERM: macOS reports it for a group of zombies.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error;
  }
}

function descendantsOf(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const [pid, parent] of process.platform === 'linux' ? parentsFromProc() : parentsFromPs()) {
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  const visit = (pid: number) => {
    for (const child of childrenOf.get(pid) ?? []) {
      found.push(child);
      visit(child);
    }
  };
  visit(root);
  return found;
}

type Parent = [pid: number, parent: number];

function parentsFromProc(): Parent[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): Parent[] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The second field is the command in parentheses, which may contain spaces and parentheses.
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [[Number(name), Number(parent)]];
      } catch {
        return []; // The process has just ended.
      }
    });
}

function parentsFromPs(): Parent[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line): Parent => {
      const [pid, parent] = line.trim().split(/\s+/);
      return [Number(pid), Number(parent)];
    });
}
