import { expect, it } from 'vitest';
import {
  chunkedRenditions,
  chunkTasks,
  firstAudioTask,
  taskFileCount,
} from '../../../src/chunking/plan/chunk-tasks.ts';
import { aChunkedWork } from '../../builders/chunking/a-chunked-work.ts';
import { someAudioChunks } from '../../builders/chunking/some-audio-chunks.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';

it('chunked work has one task per chunk, and one for the audio or each chunk of it, unless it is in those of the video', () => {
  expect(chunkTasks(aChunkedWork()).map(({ kind }) => kind)).toEqual(['chunk', 'chunk', 'audio']);
  expect(chunkTasks(aChunkedWork({ source: aProbe([aVideoStream()]) })).map(({ kind }) => kind)).toEqual([
    'chunk',
    'chunk',
  ]);
  const audioChunks = someAudioChunks({ cuts: 2 });
  const assembled = chunkTasks(aChunkedWork({ audioChunks, isAssembled: true }));
  expect(assembled).toMatchObject(audioChunks.map((chunk) => ({ kind: 'chunk', audio: { chunk } })));
  const tasks = chunkTasks(aChunkedWork({ audioChunks: someAudioChunks() }));
  expect(tasks.flatMap((task) => (task.kind === 'audio' ? (task.chunk?.tracks ?? []) : []))).toHaveLength(3);
});

it('work in several codecs has a task for each chunk in each codec, and one audio for all', () => {
  const work = aChunkedWork({ encoding: aLadderEncoding({ otherCodecs: [aLadderEncoding({ codec: 'h265' })] }) });
  const tasks = chunkTasks(work);
  expect(tasks.map((task) => (task.kind === 'chunk' ? task.encoding.codec : task.kind))).toEqual([
    ...['h264', 'h264', 'h265', 'h265', 'audio'],
  ]);
  expect(tasks.map(taskFileCount)).toEqual([2, 2, 2, 2, 1]);
  expect(tasks[firstAudioTask(work)]?.kind).toBe('audio');
});

it('each rendition has a file of each chunk in its codec, in the order of the outputs', () => {
  const work = aChunkedWork({ encoding: aLadderEncoding({ otherCodecs: [aLadderEncoding({ codec: 'h265' })] }) });
  const tasks = chunkTasks(work);
  const renditions = chunkedRenditions(work);
  expect(renditions.map(({ codec, chunks }) => [codec, ...chunks.map(({ file }) => file)])).toEqual([
    ['h264', 0, 0],
    ['h264', 1, 1],
    ['h265', 0, 0],
    ['h265', 1, 1],
  ]);
  for (const { codec, chunks } of renditions) {
    expect(chunks.map(({ chunk }) => chunk)).toEqual(work.chunks);
    for (const { chunk, task } of chunks)
      expect(tasks[task]).toMatchObject({ kind: 'chunk', chunk, encoding: { codec } });
  }
});
