import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { diskFullMessage } from '../../../lib/local/disk-full.ts';

it.each([
  ['LevelDB', 'IO error: /data/dynamodb/000003.log: No space left on device', true],
  ['node', 'ENOSPC: no space left on device, write', true],
  ['another cause', 'EACCES: permission denied, open', false],
])('a full disk is recognised by the message of %s', (_, message, isFull) => {
  expect(diskFullMessage(new Error(message)) !== undefined).toBe(isFull);
});

it.skipIf(!existsSync('/dev/full'))('a full disk ends the process with what to do, without a stack trace', async () => {
  const script = `
    import { createWriteStream } from 'node:fs';
    import { explainFullDisk } from './lib/local/disk-full.ts';
    explainFullDisk();
    createWriteStream('/dev/full').write('text');`;
  const ended = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', script]);
  const stderr = expect.stringMatching(/^The disk is full, .*\. Free some space, .*\.\n$/);
  await expect(ended).rejects.toMatchObject({ code: 1, stderr });
});
