import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { aPoolOf, payloadOf } from '../builders/a-pool.ts';

const killed = (errorType: string) => ({
  ok: false,
  error: {
    errorType,
    errorMessage: expect.stringMatching(/^RequestId: .* Error: Runtime exited with error: signal: killed$/),
  },
});

/** Source of a function that runs `body` and then never ends. */
const hangsAfter = (body: string) =>
  `exports.handler = async (event) => { ${body}; await new Promise(() => setInterval(() => {}, 1000)) }`;

// `process.platform` decides: memory, threads and children are read from /proc.
describe.runIf(process.platform === 'linux')('a sandbox above a limit', () => {
  it('is killed for the memory of its process', async () => {
    const logged: string[] = [];
    const allocates = hangsAfter('globalThis.kept = Buffer.alloc(200 * 1024 * 1024, 1)');
    const pool = await aPoolOf(allocates, { memoryMb: 160 }, (line) => logged.push(line));
    expect(await pool.invoke({})).toEqual(killed('Runtime.OutOfMemory'));
    expect(logged.join()).toMatch(/Runtime.OutOfMemory \(Memory Size: 160 MB, Memory Used: \d+ MB\)/);
  });

  it('is killed for the memory of its process and its children together', async () => {
    const spawns = hangsAfter(`
      const { spawn } = require('node:child_process');
      const hold = 'globalThis.kept = Buffer.alloc(70 * 1024 * 1024, 1); setInterval(() => {}, 1000)';
      for (let count = 0; count < event.children; count++) spawn(process.execPath, ['-e', hold]);
      if (event.children === 0) return 'idle'`);
    const pool = await aPoolOf(spawns, { memoryMb: 300 });
    expect(await payloadOf(pool, { children: 0 })).toBe('idle');
    expect(await pool.invoke({ children: 3 })).toEqual(killed('Runtime.OutOfMemory'));
  });

  it('is killed for more than 1,024 threads', async () => {
    const spawns = hangsAfter(`
      const { spawn } = require('node:child_process');
      const env = { UV_THREADPOOL_SIZE: '1000' };
      const start = 'for (let i = 0; i < 1000; i++) require("fs").stat("/", () => {}); setInterval(() => {}, 1000)';
      spawn(process.execPath, ['-e', start], { env });
      spawn(process.execPath, ['-e', start], { env })`);
    const logged: string[] = [];
    const pool = await aPoolOf(spawns, { memoryMb: 1024 }, (line) => logged.push(line));
    expect(await pool.invoke({})).toEqual(killed('Runtime.ExitError'));
    expect(logged.join()).toMatch(/\d+ processes and threads; Lambda allows 1024/);
  });
});

it('a sandbox whose files exceed EphemeralStorage is killed, and its files are removed', async () => {
  const writes = hangsAfter(`
    const { writeFileSync } = require('node:fs');
    const folder = require('node:os').tmpdir();
    if (event.bytes === 0) return folder;
    writeFileSync(folder + '/large', Buffer.alloc(event.bytes, 1))`);
  const logged: string[] = [];
  const pool = await aPoolOf(writes, { storageMb: 2 }, (line) => logged.push(line));
  const folder = String(await payloadOf(pool, { bytes: 0 }));
  expect(existsSync(folder)).toBe(true);
  expect(await pool.invoke({ bytes: 3 * 1024 * 1024 })).toEqual(killed('Runtime.ExitError'));
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect(logged.join()).toMatch(/\/tmp has \d+ MB; EphemeralStorage allows 2 MB/);
});

it('a sandbox below its limits is not killed', async () => {
  const busy = `exports.handler = async () => {
    globalThis.kept = Buffer.alloc(20 * 1024 * 1024, 1);
    await new Promise((resolve) => setTimeout(resolve, 400));
    return 'done';
  }`;
  const pool = await aPoolOf(busy, { memoryMb: 160 });
  expect(await payloadOf(pool)).toBe('done');
});

it('a sandbox can open 1,024 files and no more', async () => {
  const opens = `
    const { openSync, closeSync } = require('node:fs');
    exports.handler = async () => {
      const files = [];
      try {
        for (;;) files.push(openSync('/dev/null', 'r'));
      } catch (error) {
        for (const file of files) closeSync(file);
        return [error.code, files.at(-1)];
      }
    }`;
  expect(await payloadOf(await aPoolOf(opens))).toEqual(['EMFILE', 1023]);
});

it('a sandbox can write to its temporary folder and nowhere else', async () => {
  const elsewhere = await aTemporaryFolder();
  const writes = `
    const { writeFileSync, readFileSync, mkdtempSync } = require('node:fs');
    const { join } = require('node:path');
    const { tmpdir } = require('node:os');
    exports.handler = async (folder) => {
      const file = join(mkdtempSync(join(tmpdir(), 'work-')), 'file');
      writeFileSync(file, 'kept');
      try {
        writeFileSync(join(folder, 'file'), '');
      } catch (error) {
        return [readFileSync(file, 'utf8'), error.code];
      }
    }`;
  expect(await payloadOf(await aPoolOf(writes), elsewhere)).toEqual(['kept', 'ERR_ACCESS_DENIED']);
  expect(await readdir(join(elsewhere))).toEqual([]);
});
