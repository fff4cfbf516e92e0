import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace, removeWorkspaces } from '../../src/runner/workspace.ts';

let disk: string;

beforeEach(async () => {
  disk = await aTemporaryFolder();
});

describe("a worker's disk", () => {
  it('is cleared of directories of a killed worker only', async () => {
    const killed = await openWorkspace(disk);
    await killed.writeText(killed.downloadPath('input-1'), 'a clip');
    await writeFile(join(disk, 'v8-compile-cache'), '');
    await removeWorkspaces(disk);
    expect(await readdir(disk)).toEqual(['v8-compile-cache']);
  });

  it('that is full fails the job permanently', async () => {
    const workspace = await openWorkspace(disk);
    const path = workspace.downloadPath('cues.vtt');
    await symlink('/dev/full', path);
    const failure = { code: 'INPUT_TOO_LARGE', retryable: false };
    await expect(workspace.writeText(path, 'WEBVTT')).rejects.toMatchObject(failure);
  });
});
