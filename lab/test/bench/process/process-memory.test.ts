import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { processWith, residentBytes } from '../../../bench/harness/process/process-memory.ts';

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** A running process with so many written bytes and a unique environment variable. */
async function aProcess(name: string, bytes = 0): Promise<ChildProcess> {
  const program = `globalThis.kept = Buffer.alloc(${bytes}, 1); console.log('here'); setInterval(() => {}, 1e6)`;
  const child = spawn(process.execPath, ['-e', program], { env: { PROCESS_MEMORY_TEST: name } });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

describe('the memory of a process', () => {
  it('is found by its environment, and counts what the process has written', async () => {
    const [small, large] = [await aProcess('small'), await aProcess('large', 100_000_000)];
    const idOf = (name: string) => processWith({ PROCESS_MEMORY_TEST: name });
    expect([idOf('small'), idOf('large')]).toEqual([String(small.pid), String(large.pid)]);
    const more = residentBytes(idOf('large'), 'now') - residentBytes(idOf('small'), 'now');
    expect(more).toBeGreaterThan(80_000_000);
    const now = residentBytes(idOf('large'), 'now');
    // The process still runs, and the kernel updates both counters with some pages of delay.
    expect(residentBytes(idOf('large'), 'at most')).toBeGreaterThan(now - 1_000_000);
  });

  it('is of one process: none and two are errors', async () => {
    expect(() => processWith({ PROCESS_MEMORY_TEST: 'nobody' })).toThrow('0 processes');
    await aProcess('twin');
    await aProcess('twin');
    expect(() => processWith({ PROCESS_MEMORY_TEST: 'twin' })).toThrow('2 processes');
  });
});
