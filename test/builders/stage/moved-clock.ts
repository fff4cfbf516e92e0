import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type MovedClock = {
  /** The module that moves the clock of each function. */
  preload: string;
  /** Moves the clocks of this process, in which the emulators are, and of all functions. */
  advance(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
};

/** The time of a stage, which goes on but can be moved ahead. */
export async function aMovedClock(): Promise<MovedClock> {
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-clock-'));
  const path = join(directory, 'offset');
  let offset = 0;
  await writeFile(path, '0');
  const restore = moveClock(path);
  const preload = new URL('preload-moved-clock.ts', import.meta.url);
  preload.searchParams.set('offset', path);
  return {
    preload: preload.href,
    async advance(milliseconds) {
      offset += milliseconds;
      await writeFile(path, String(offset));
    },
    async stop() {
      restore();
      await rm(directory, { recursive: true });
    },
  };
}

/** Adds the milliseconds that a file holds to the time of this process. Returns a function that takes it back. */
export function moveClock(path: string): () => void {
  const System = Date;
  const now = () => System.now() + Number(readFileSync(path, 'utf8'));
  const moved = new Proxy(System, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  globalThis.Date = moved;
  return () => {
    globalThis.Date = System;
  };
}
