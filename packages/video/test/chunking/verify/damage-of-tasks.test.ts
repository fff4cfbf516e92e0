import { expect, it } from 'vitest';
import { damageOfTasks } from '../../../src/chunking/verify/verify-join.ts';
import { aChunkedWork } from '../../builders/chunking/a-chunked-work.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';

type Counted = { kind?: 'video' | 'audio'; packets?: number; damaged?: number; hasContainerErrors?: boolean };

const aRun = ({ kind = 'video', packets = 100, damaged = 0, hasContainerErrors = false }: Counted) => ({
  // A chunk is a part of its source.
  arguments: ['-ss', '1', '-i', '/in/source'],
  log: '',
  decoding: { streams: [{ kind, input: 0, packets, damaged }], hasContainerErrors },
});
const tasks = (...runs: Counted[]) => runs.map((run) => ({ runs: [aRun(run)] }));
const audio: Counted = { kind: 'audio', packets: 40, damaged: 4 };

it('the damage of all chunks is added, and that of the audio', () => {
  expect(damageOfTasks(aChunkedWork(), tasks({ damaged: 2 }, { damaged: 3 }, audio))).toEqual([
    { kind: 'video', frames: 200, lost: 5 },
    { kind: 'audio', frames: 40, lost: 4 },
  ]);
});

it('the last run of a task counts: earlier ones decode the same frames', () => {
  const results = [{ runs: [aRun({ damaged: 50 }), aRun({ damaged: 2 })] }, ...tasks({ damaged: 0 })];
  expect(damageOfTasks(aChunkedWork(), results)).toEqual([{ kind: 'video', frames: 200, lost: 2 }]);
});

it('each codec decodes the whole video', () => {
  const encoding = aLadderEncoding({ otherCodecs: [aLadderEncoding({ codec: 'h265' })] });
  const results = tasks({ damaged: 1 }, { damaged: 1 }, { damaged: 2 }, { damaged: 2 });
  expect(damageOfTasks(aChunkedWork({ encoding }), results)).toEqual([
    { kind: 'video', frames: 200, lost: 2 },
    { kind: 'video', frames: 200, lost: 4 },
  ]);
});

it('frames are counted once, although chunks overlap, and those that are missing if the container is broken', () => {
  const work = aChunkedWork({ sourceFrames: { indexed: 180, stated: 190 } });
  const lost = (...runs: Counted[]) => damageOfTasks(work, tasks(...runs));
  expect(lost({ damaged: 2 }, {}, audio)).toEqual([
    { kind: 'video', frames: 180, lost: 2 },
    { kind: 'audio', frames: 40, lost: 4 },
  ]);
  expect(lost({ damaged: 100 }, { damaged: 100 })).toEqual([{ kind: 'video', frames: 180, lost: 180 }]);
  expect(lost({ damaged: 2, hasContainerErrors: true }, {})).toEqual([{ kind: 'video', frames: 190, lost: 12 }]);
});
