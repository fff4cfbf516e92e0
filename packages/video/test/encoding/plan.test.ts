import { describe, expect, it } from 'vitest';
import { executePlan, type Plan, type PlanTask, type ProgressShare } from '../../src/encoding/plan.ts';
import { argumentTexts, type Command } from '../../src/media/ffmpeg/command.ts';
import type { Decoding } from '../../src/media/ffmpeg/ffmpeg-output.ts';

const command = (name: string): Command => ({ inputs: [], outputArguments: [name] });
const decided = (...names: string[]): Plan => ({ commands: names.map(command), outputs: [] });

function aRun(logs: Record<string, string> = {}, decodings: Record<string, Decoding> = {}) {
  const runs: ({ name: string } & ProgressShare)[] = [];
  const run = async (task: PlanTask, share: ProgressShare) => {
    const [name = ''] = 'outputArguments' in task ? argumentTexts(task.outputArguments) : [];
    runs.push({ name, ...share });
    return { log: logs[name] ?? '', decoding: decodings[name] };
  };
  return { run, runs };
}

describe('executePlan', () => {
  it('runs the commands in order, each with an equal share of the progress', async () => {
    const { run, runs } = aRun();
    await executePlan(decided('a', 'b'), run);
    expect(runs).toEqual([
      { name: 'a', from: 0, to: 0.5, isLast: false },
      { name: 'b', from: 0.5, to: 1, isLast: true },
    ]);
  });

  it('measures first and decides by the log of the last measurement', async () => {
    const { run, runs } = aRun({ listen: 'not this', 'listen on': 'quiet', 'listen closely': 'very' });
    const plan = await executePlan(
      {
        measure: [command('listen'), command('listen on')],
        progressAfter: 0.4,
        outputs: [],
        decide: (first) => ({
          measure: [command('listen closely')],
          progressAfter: 0.5,
          outputs: [],
          decide: (second) => decided(`louder: ${second} ${first}`),
          expected: () => decided('louder'),
        }),
        expected: () => decided('louder'),
      },
      run,
    );
    expect(plan).toEqual(decided('louder: very quiet'));
    expect(runs.map(({ name, from, to, isLast }) => [name, from, to, isLast])).toEqual([
      ['listen', 0, 0.2, false],
      ['listen on', 0.2, 0.4, false],
      ['listen closely', 0.4, 0.5, false],
      ['louder: very quiet', 0.5, 1, true],
    ]);
  });

  it('measures the finished file last and adds the figures', async () => {
    const { run, runs } = aRun({ look: '7' });
    const outputMeasurement = {
      measure: [command('look')],
      read: (log: string) => ({ reached: Number(log) }),
    };
    const plan = await executePlan({ ...decided('a'), measurements: { requested: 8 }, outputMeasurement }, run);
    expect(plan).toEqual({ ...decided('a'), measurements: { requested: 8, reached: 7 } });
    expect(runs).toEqual([
      { name: 'a', from: 0, to: 0.95, isLast: true },
      { name: 'look', from: 0.95, to: 1, isLast: true },
    ]);
  });

  it('runs nothing for a plan without commands', async () => {
    const { run, runs } = aRun();
    expect(await executePlan(decided(), run)).toEqual(decided());
    expect(runs).toEqual([]);
  });
});

describe('a copy that is decoded after it was written', () => {
  const decodingOf = (damaged: number, frames = 40, packets = 40) => ({
    streams: [{ input: 0, kind: 'video' as const, packets, frames, damaged }],
    hasContainerErrors: false,
  });
  const copy: Plan = {
    ...decided('copy'),
    copyCheck: { file: [command('file')], source: command('source'), otherwise: () => decided('encode') },
  };
  const damage = (lost: number) => [{ kind: 'video', frames: 40, lost, isSample: true }];

  it.each([
    ['is kept if it decodes', decodingOf(3), decodingOf(0), decided('copy')],
    ['is replaced if its source decodes', decodingOf(20), decodingOf(3), decided('encode')],
    ['is replaced if its frames are left out', decodingOf(0, 10), decodingOf(0), decided('encode')],
    ['is replaced if it has none', decodingOf(0, 0, 5), decodingOf(0), decided('encode')],
    [
      'is kept with the damage of its source',
      decodingOf(20),
      decodingOf(19),
      { ...decided('copy'), damage: damage(20) },
    ],
    ['may have two packets for a frame', decodingOf(0, 20), decodingOf(0), decided('copy')],
  ])('%s', async (_, file, source, expected) => {
    const { run, runs } = aRun({}, { file, source });
    expect(await executePlan(copy, run)).toEqual(expected);
    expect(runs.map(({ name }) => name).includes('encode')).toBe(
      expected.commands.some(({ outputArguments: [name] }) => name === 'encode'),
    );
  });

  it('is replaced if it decodes in the first of several runs, but not in the last', async () => {
    const file = ['start', 'end'].map(command);
    const { run } = aRun({}, { start: decodingOf(0), end: decodingOf(20), source: decodingOf(0) });
    const copyCheck = { file, source: command('source'), otherwise: () => decided('encode') };
    expect(await executePlan({ ...copy, copyCheck }, run)).toEqual(decided('encode'));
  });
});
