import { readFile } from 'node:fs/promises';
import { aCountingListener } from '@media-jobs/testing/counting-listener';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { RunOptions } from '@media-jobs/video/ffmpeg';
import {
  anEncoder,
  bareFfmpeg,
  clipWith,
  clipWithExternalReference,
  concatScriptOf,
  manifestOf,
  playlistOf,
  svgOf,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { aMediaBucket } from '../../builders/storage/a-media-bucket.ts';
import { aRangeProxy } from '../../builders/storage/a-range-proxy.ts';
import { aStore, breakOff } from '../s3/builders/fake-s3.ts';

async function copy(path: string, signal: AbortSignal = new AbortController().signal) {
  const directory = await aTemporaryFolder();
  const outputArguments = ['-map', '0', '-c', 'copy', '-f', 'matroska', `${directory}/output.mkv`];
  const options: RunOptions = { directory, signal, timeLimitSeconds: 20, stallSeconds: 20 };
  const { arguments: args, log } = await anEncoder().run(
    { inputs: [{ path, isRemote: true }], outputArguments },
    options,
  );
  return { path: `${directory}/output.mkv`, args, log };
}

/** A proxy to an input with that content, and to another clip. */
async function aProxyBeside(name: string, content: string | Buffer, contentType?: string) {
  const bucket = await aMediaBucket();
  await bucket.put('input', content, contentType);
  await bucket.putFile('secret', await clipWith());
  return aRangeProxy(bucket, { input: { key: 'input' }, [name]: { key: 'secret' } });
}

/** Runs ffmpeg on an input with that content. */
async function copyStored(content: string | Buffer, contentType?: string) {
  const proxy = await aProxyBeside('secret.mp4', content, contentType);
  return copy(proxy.urlOf('input'), proxy.signal);
}

const rejected = { code: expect.stringMatching(/^INPUT_(FORBIDDEN|NOT_MEDIA)$/) };

describe('ffmpeg reading a stored object', () => {
  it('learns neither the location of the object nor its credentials', async () => {
    const bucket = await aMediaBucket();
    await bucket.putFile('uploads/owner/clip', await clipWith());
    const proxy = await aRangeProxy(bucket, { source: { key: 'uploads/owner/clip' } });
    const { args, log, path } = await copy(proxy.urlOf('source'));
    expect((await anEncoder().probe(path)).durationSeconds).toBeCloseTo(2, 1);
    expect(args).toContain(proxy.urlOf('source'));
    expect(`${args.join(' ')} ${log}`).not.toMatch(/uploads|owner|media\/|S3RVER|amz|signature|https/i);
  });

  it('fails with the read error, not with an output of the half that arrived', async () => {
    const store = await aStore(await readFile(await clipWith()), breakOff);
    const proxy = await aRangeProxy(store, { source: { key: 'clip' } });
    const copying = copy(proxy.urlOf('source'), proxy.signal);
    await expect(copying).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(copying).rejects.toBe(proxy.failure());
  });
});

describe.each([
  ['a playlist', playlistOf, 'application/vnd.apple.mpegurl'],
  ['a concat script', concatScriptOf, 'text/plain'],
  ['a drawing', svgOf, 'image/svg+xml'],
  ['a manifest', manifestOf, 'application/dash+xml'],
])('%s in disguise, in the bucket', (_kind, contentFor, contentType) => {
  it('reaches no address', async () => {
    const { url, connections } = await aCountingListener();
    await expect(copyStored(contentFor(url), contentType)).rejects.toMatchObject(rejected);
    expect(connections()).toBe(0);
  });

  it('reads neither a local file nor another object', async () => {
    for (const path of [await clipWith(), 'secret.mp4']) {
      await expect(copyStored(contentFor(path), contentType)).rejects.toMatchObject(rejected);
    }
  });
});

describe('a clip whose frames are in another object', () => {
  it('does not read the other object', async () => {
    const { log } = await copyStored(await clipWithExternalReference('secret.mp4'));
    expect(log).toContain('Skipped opening external track');
    expect(log).toContain('Output file is empty');
  });

  it('is read completely by an ffmpeg that follows references', async () => {
    const { urlOf } = await aProxyBeside('secret.mp4', await clipWithExternalReference('secret.mp4'));
    const path = `${await aTemporaryFolder()}/copy.mkv`;
    const guards = ['-protocol_whitelist', 'http,tcp'];
    await bareFfmpeg([...guards, '-enable_drefs', '1', '-i', urlOf('input'), '-c', 'copy', path]);
    expect((await anEncoder().probe(path)).durationSeconds).toBeCloseTo(2, 1);
  });
});
