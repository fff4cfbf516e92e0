import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { encodedChunks } from '../../builders/chunking/encoded-chunks.ts';

it('a join removes no files of a job that a concurrent join has completed', async () => {
  const { stage, work } = await encodedChunks();
  const { files } = stage.ports;
  const upload: typeof files.upload = async (file) => {
    expect(await work.join()).toBe('completed');
    await files.upload(file);
  };
  expect(await work.join({}, { files: { ...files, upload } })).toBe('completed');
  const done = await work.job();
  expect(await stage.keys('')).toEqual([`jobs/${done.jobId}/1/output/output.mkv`]);
});

it('a repeated assembly writes the same bytes', async () => {
  const { stage, work } = await encodedChunks({ format: 'mp4' });
  const { files } = stage.ports;
  const [key, written] = [`jobs/${work.input.jobId}/1/output/output.mp4`, [] as Buffer[]];
  const assemble: typeof files.assemble = async (file) => {
    const assembled = await files.assemble(file);
    written.push(await stage.read(key));
    if (written.length === 1) throw new Error('The function dies');
    return assembled;
  };
  await expect(work.join({}, { files: { ...files, assemble } })).rejects.toThrow('The function dies');
  expect(await work.join({}, { files: { ...files, assemble } })).toBe('completed');
  expect(written[1]?.equals(written[0] ?? Buffer.alloc(0))).toBe(true);
});

it('a join removes the files of a job that was cancelled meanwhile', async () => {
  const { stage, work } = await encodedChunks();
  const { files, jobs } = stage.ports;
  const upload: typeof files.upload = async (file) => {
    await files.upload(file);
    const job = (await work.job()) as JobIn<'processing'>;
    await jobs.write(cancel(job, { now: new Date(), webhookTarget: null, deliveryId: 'delivery' }));
  };
  expect(await work.join({}, { files: { ...files, upload } })).toBe('lost');
  expect(await work.job()).toMatchObject({ state: 'cancelled' });
  expect(await stage.keys('')).toEqual([]);
});

it('an assembly removes no files of a job that a concurrent one has completed', async () => {
  const { stage, work } = await encodedChunks({ format: 'mp4' });
  const { files } = stage.ports;
  const assemble: typeof files.assemble = async (file) => {
    expect(await work.join()).toBe('completed');
    return files.assemble(file);
  };
  // The chunks are removed with the end of the job: the second assembly fails, and finds the job completed.
  expect(await work.join({}, { files: { ...files, assemble } }).catch(() => 'failed')).toBe('failed');
  const done = await work.job();
  expect(done.state).toBe('completed');
  expect(await stage.keys('')).toEqual([`jobs/${done.jobId}/1/output/output.mp4`]);
});

it('an assembly has nothing on its disk, and its file is removed if the job was cancelled meanwhile', async () => {
  const { stage, work } = await encodedChunks({ format: 'mp4' });
  const { files, jobs } = stage.ports;
  const held: string[] = [];
  const assemble: typeof files.assemble = async (file) => {
    const assembled = await files.assemble(file);
    const entries = await readdir(stage.disk, { recursive: true, withFileTypes: true });
    held.push(...entries.filter((entry) => entry.isFile()).map(({ name }) => name));
    const job = (await work.job()) as JobIn<'processing'>;
    await jobs.write(cancel(job, { now: new Date(), webhookTarget: null, deliveryId: 'delivery' }));
    return assembled;
  };
  expect(await work.join({}, { files: { ...files, assemble } })).toBe('lost');
  expect([await stage.keys(''), held]).toEqual([[], []]);
});

it('an assembly of a stream has its audio on its disk, and no video', async () => {
  const { stage, work } = await encodedChunks({ format: 'm3u8' });
  const { files } = stage.ports;
  const held = new Set<string>();
  const upload: typeof files.upload = async (file) => {
    for (const name of await readdir(stage.disk, { recursive: true })) held.add(basename(name));
    await files.upload(file);
  };
  const assembled: string[] = [];
  const assemble: typeof files.assemble = (file) => {
    assembled.push(basename(file.key));
    return files.assemble(file);
  };
  expect(await work.join({}, { files: { ...files, upload, assemble } })).toBe('completed');
  expect(assembled).toEqual(['stream_0.mp4']);
  expect([...held].filter((name) => name.endsWith('.mp4'))).toEqual(['stream_1.mp4']);
});

it('a join has only the finished file on its disk', async () => {
  const { stage, work } = await encodedChunks();
  const { files } = stage.ports;
  const held: string[] = [];
  const upload: typeof files.upload = async (file) => {
    held.push(...(await readdir(stage.disk, { recursive: true })));
    await files.upload(file);
  };
  await work.join({}, { files: { ...files, upload } });
  expect(held.filter((name) => /\.\w+$/.test(name))).toEqual([expect.stringMatching(/^job-\w+\/joined\/output\.mkv$/)]);
  expect(held).toHaveLength(3);
  expect(await readdir(stage.disk)).toEqual([]);
});

it('the log has the commands before the plan, of all tasks and of the join, and no key, bucket or signature', async () => {
  const { stage, work } = await encodedChunks();
  const { planKey } = work.input;
  const plan = JSON.parse((await stage.read(planKey)).toString());
  const runs = [{ arguments: ['-i', '/tmp/measured'], log: 'VMAF score: 95' }];
  await stage.bucket.put(planKey, JSON.stringify({ ...plan, runs }));
  await work.join();
  const [log] = await stage.ports.logs.list(work.input);
  const outputs = log?.commands.map((command) => command.at(-1)?.split('/').at(-1));
  expect(outputs).toEqual(['measured', 'encoded-0', 'encoded-0', 'encoded-0', 'encoded-0', 'output.mkv']);
  const { port = 0 } = (await stage.bucket.client.config.endpoint?.()) ?? {};
  expect(port).toBeGreaterThan(0);
  const text = JSON.stringify(log) + decoded(log?.commands.flat() ?? []);
  expect(text).toContain('http://127.0.0.1:');
  for (const secret of [`:${port}`, 'work/', 'X-Amz', 'S3RVER', `/${stage.bucket.bucket}/`]) {
    expect(text).not.toContain(secret);
  }
});

/** The concat lists in the arguments, as text. */
function decoded(args: string[]): string {
  return args.map((arg) => atob(/^data:text\/plain;base64,(.*)$/.exec(arg)?.[1] ?? '')).join('');
}
