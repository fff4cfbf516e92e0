// @module-tag chunks
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { chunkResultSchema, type FragmentTable } from '@media-jobs/video/chunking';
import { bareFfmpeg } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { chunkKeys } from '../../../core/jobs/stored-file.ts';
import type { ChunkedStage } from '../../builders/chunking/a-chunked-stage.ts';
import { type ChunkedJob, runTranscode } from '../../builders/chunking/chunked-job.ts';
import { encodedChunks } from '../../builders/chunking/encoded-chunks.ts';

const second = ({ input }: ChunkedJob) => chunkKeys(input.planKey, 1);

/** Replaces the file of the second chunk by what ffmpeg makes of it. */
async function changeSecond({ bucket, fetch }: ChunkedStage, { fileKey }: ChunkedJob, args: string[]): Promise<void> {
  const key = await fileKey(1);
  const path = join(await aTemporaryFolder(), 'changed.mp4');
  await bareFfmpeg(['-i', await fetch(key), ...args, path]);
  await bucket.putFile(key, path);
}

async function changeResult({ bucket, read }: ChunkedStage, key: string, changes: object): Promise<void> {
  const result = JSON.parse((await read(key)).toString());
  const renditions = result.renditions.map((rendition: object) => ({ ...rendition, ...changes }));
  await bucket.put(key, JSON.stringify({ ...result, renditions }));
}

async function changeTable(
  stage: ChunkedStage,
  key: string,
  changesOf: (table: FragmentTable) => Partial<FragmentTable>,
): Promise<void> {
  const { renditions } = chunkResultSchema.parse(JSON.parse((await stage.read(key)).toString()));
  const { fragmentTable } = renditions?.[0] ?? {};
  if (fragmentTable === undefined) throw new Error('Expected the table of a chunk');
  await changeResult(stage, key, { fragmentTable: { ...fragmentTable, ...changesOf(fragmentTable) } });
}

async function removeSecond({ remove }: ChunkedStage, { fileKey }: ChunkedJob): Promise<void> {
  await remove(await fileKey(1));
}

/** The join requeues the job for a single pass, with such a reason. */
async function expectRequeued(stage: ChunkedStage, work: ChunkedJob, reason: RegExp): Promise<void> {
  expect(await work.join()).toBe('requeued');
  expect(await work.job()).toMatchObject({ state: 'queued', singlePassReason: expect.stringMatching(reason) });
  expect(stage.unexpected).toEqual([]);
}

type Tampering = (stage: ChunkedStage, work: ChunkedJob) => Promise<unknown>;

const mismatches: [name: string, tamper: Tampering, reason: RegExp][] = [
  ['a missing file', removeSecond, /^Chunk 2 is missing$/],
  ['a missing result', (stage, work) => stage.remove(second(work).resultKey), /^Chunk 2 is missing$/],
  [
    'an invalid result',
    (stage, work) => stage.bucket.put(second(work).resultKey, '{"renditions":'),
    /^Chunk 2 has no valid measurements$/,
  ],
  [
    'audio without measurements',
    (stage, work) => stage.bucket.put(chunkKeys(work.input.planKey, 3).resultKey, '{"runs":[]}'),
    /^The audio has no valid measurements$/,
  ],
  [
    'a chunk that lost frames',
    (stage, work) => changeSecond(stage, work, ['-c', 'copy', '-frames:v', '40']),
    /^The joined file has \d+ frames; the source has 360$/,
  ],
  [
    'a chunk with fewer frames than planned',
    (stage, work) => changeResult(stage, second(work).resultKey, { frames: 7 }),
    /^Chunk 2 has 7 frames; expected \d+$/,
  ],
  [
    'a chunk with another decoder configuration',
    (stage, work) => changeResult(stage, second(work).resultKey, { extradataHash: 'SHA256:other' }),
    /^Chunk 2 has another decoder configuration than the first chunk$/,
  ],
  [
    'a file that is no video',
    async (stage, work) => stage.bucket.put(await work.fileKey(1), 'no film'),
    /frames; the source has 360$/,
  ],
];

describe.each(mismatches)('with %s', (_, tamper, reason) => {
  it('the job is requeued for a single pass, with the reason', async () => {
    const { stage, work } = await encodedChunks();
    await tamper(stage, work);
    await expectRequeued(stage, work, reason);
    const { jobId } = work.input;
    expect(stage.sent).toMatchObject([{ jobId }]);
    expect(await stage.keys('jobs/')).toEqual([]);
  });
});

const assemblyMismatches: [name: string, tamper: Tampering, reason: RegExp][] = [
  ['a missing file', removeSecond, /^Chunk 2 is missing$/],
  [
    'a chunk that lost frames',
    (stage, work) => changeSecond(stage, work, ['-map', '0', '-c', 'copy', '-bsf:v', "noise=drop='gte(n,40)'"]),
    /^The joined file has \d+ frames; the source has 360$/,
  ],
  [
    'a chunk that lost audio',
    (stage, work) => changeSecond(stage, work, ['-map', '0', '-c', 'copy', '-frames:a', '40']),
    /^Chunk 2 has 40 packets of audio; expected \d+$/,
  ],
  [
    'a chunk without audio',
    (stage, work) => changeSecond(stage, work, ['-c', 'copy', '-an']),
    /^Chunk 2 has 1 tracks; expected 2$/,
  ],
  [
    'a chunk of another encoder',
    (stage, work) => changeSecond(stage, work, ['-c:v', 'mpeg4', '-c:a', 'copy']),
    /^Chunk 2 has another (decoder configuration|time scale)$/,
  ],
  [
    'a chunk in fragments',
    (stage, work) => changeSecond(stage, work, ['-c', 'copy', '-movflags', '+frag_keyframe']),
    /^Chunk 2 has an index that cannot be joined$/,
  ],
  [
    'a file that is no video',
    async (stage, work) => stage.bucket.put(await work.fileKey(1), 'no film'),
    /^Chunk 2 has an index that cannot be joined$/,
  ],
];

it.each(assemblyMismatches)('an output is not assembled with %s', async (_, tamper, reason) => {
  const { stage, work } = await encodedChunks({ format: 'mp4' });
  await tamper(stage, work);
  await expectRequeued(stage, work, reason);
});

const streamMismatches: [name: string, tamper: Tampering, reason: RegExp][] = [
  ['a missing file', removeSecond, /^Chunk 2 is missing$/],
  [
    'a file of other bytes',
    async (stage, work) => stage.bucket.put(await work.fileKey(1), 'no film'),
    /^Chunk 2 has 7 bytes; expected \d+$/,
  ],
  [
    'a chunk without a table of its fragments',
    (stage, work) => changeResult(stage, second(work).resultKey, { fragmentTable: undefined }),
    /: a chunk has no fragments of a stream$/,
  ],
  [
    'a chunk with another sample description',
    (stage, work) => changeTable(stage, second(work).resultKey, () => ({ descriptionHash: 'other' })),
    /: Chunk 2 has another decoder configuration than the first chunk$/,
  ],
  [
    'a chunk that lost frames',
    (stage, work) =>
      changeTable(stage, second(work).resultKey, ({ frameTimes }) => ({ frameTimes: { ...frameTimes, deltas: [] } })),
    /^The joined file has \d+ frames; the source has 360$/,
  ],
];

it.each(streamMismatches)('a stream is not assembled with %s', async (_, tamper, reason) => {
  const { stage, work } = await encodedChunks({ format: 'm3u8' });
  await tamper(stage, work);
  await expectRequeued(stage, work, reason);
});

it('the next attempt is a single pass and reports the reason', async () => {
  const { stage, work } = await encodedChunks();
  await removeSecond(stage, work);
  await work.join();
  expect(await runTranscode(stage, await work.job())).toBe('completed');
  const done = await work.job();
  expect(done).toMatchObject({
    chunking: { chunks: 1, reason: 'Encoded in a single pass: Chunk 2 is missing' },
    files: { output: { key: `jobs/${done.jobId}/2/output/output.mkv` } },
  });
});

it('a mismatch at the last attempt fails the job, with the reason', async () => {
  const { stage, work } = await encodedChunks({ attempt: 3 });
  await removeSecond(stage, work);
  expect(await work.join()).toBe('failed');
  expect(await work.job()).toMatchObject({
    state: 'failed',
    error: {
      code: 'TRANSCODE_ERROR',
      message: 'The video could not be encoded in chunks: Chunk 2 is missing',
      stage: 'transcoding',
    },
  });
  expect([stage.sent, await stage.keys('')]).toEqual([[], []]);
});

it("the job's log has all commands after a mismatch", async () => {
  const { stage, work } = await encodedChunks();
  await changeResult(stage, second(work).resultKey, { frames: 7 });
  await work.join();
  const [log] = await stage.ports.logs.list(work.input);
  expect(log?.commands).toHaveLength(5);
});
