import { describe, expect, it } from 'vitest';
import { JobError } from '../../src/errors.ts';
import { addDamage, damageOfRuns, damageWarnings, explainByDamage } from '../../src/media/damage.ts';
import type { Decoding } from '../../src/media/ffmpeg/ffmpeg-output.ts';
import { anAudioStream, aProbe, aVideoStream } from '../builders/media/a-probe.ts';

type Counted = Partial<Decoding['streams'][number]>;

const aRun = (
  { kind = 'video', input = 0, packets = 50, damaged = 0, ...others }: Counted,
  options: string[] = [],
) => ({
  arguments: ['-i', '/in/a', '-i', '/in/b', ...options],
  log: '',
  decoding: { streams: [{ kind, input, packets, damaged, ...others }], hasContainerErrors: false },
});

const broken = (counted: Counted) => {
  const run = aRun(counted);
  return { ...run, decoding: { ...run.decoding, hasContainerErrors: true } };
};

describe('the damage of a run', () => {
  const probe = aProbe();
  const broadcast = { ...probe, container: 'mpegts' };

  it('counts damaged packets, and frames that are missing from the length of a video', () => {
    expect(damageOfRuns([aRun({ packets: 40, damaged: 3 })], { probe })).toEqual([
      { kind: 'video', frames: 50, lost: 13 },
    ]);
    expect(damageOfRuns([broken({ packets: 40 })], { probe })).toEqual([{ kind: 'video', frames: 50, lost: 10 }]);
  });

  it.each([
    ['the rate is an average and frames are there', probe, aRun({ packets: 40 }), 40, 0],
    ['a part is read', probe, aRun({ packets: 40, damaged: 3 }, ['-t', '1']), 40, 3],
    ['audio has no rate', probe, aRun({ kind: 'audio', packets: 40, damaged: 3 }), 40, 3],
    [
      'the base rate is lower',
      aProbe([aVideoStream({ framesPerSecond: 25, baseFramesPerSecond: 20 })]),
      aRun({ packets: 40, damaged: 3 }),
      40,
      3,
    ],
  ])('misses none if %s', (_, source, run, frames, lost) => {
    expect(damageOfRuns([run], { probe: source })).toMatchObject([{ frames, lost }]);
  });

  it.each([
    ['of a range', probe, ['-ss', '1', '-t', '1'], { packets: 20, damaged: 3 }, 25, 8],
    ['behind the last fragment that is found', { ...probe, unreadableShare: 0.5 }, [], { packets: 25 }, 50, 25],
    [
      'of FLAC',
      { ...aProbe([anAudioStream({ index: 0, sampleRateHz: 48_000 })]), container: 'flac' },
      [],
      { kind: 'audio', packets: 40, frames: 40, samples: 40 * 1200 },
      80,
      40,
    ],
  ] as const)('counts what is missing %s', (_, source, options, counted, frames, lost) => {
    expect(damageOfRuns([aRun(counted, [...options])], { probe: source })).toMatchObject([{ frames, lost }]);
  });

  it('is unknown behind a seek in a broadcast, which lands between keyframes', () => {
    const sought = aRun({ damaged: 3 }, ['-ss', '1']);
    expect(damageOfRuns([sought], { probe: broadcast })).toEqual([]);
    expect(damageOfRuns([sought], { probe })).toMatchObject([{ lost: 3 }]);
  });

  it('is of one input', () => {
    const runs = [aRun({ input: 1, damaged: 3 })];
    expect(damageOfRuns(runs, { probe })).toEqual([]);
    expect(damageOfRuns(runs, { probe, path: '/in/a' })).toEqual([]);
    expect(damageOfRuns(runs, { probe, path: '/in/b' })).toMatchObject([{ lost: 3 }]);
  });
});

it('parts are added by what they are of', () => {
  const video = { kind: 'video', frames: 10, lost: 1 } as const;
  const audio = { kind: 'audio', frames: 4, lost: 2 } as const;
  expect(addDamage([video, audio, video])).toEqual([{ kind: 'video', frames: 20, lost: 2 }, audio]);
});

describe('the warning of damage', () => {
  const video = (frames: number, lost: number) => ({ kind: 'video' as const, frames, lost });
  const warning = (message: string) => ({ code: 'INPUT_DAMAGED', message });

  it('names the worst figures of the video', () => {
    expect(damageWarnings([video(1000, 20), video(100, 10), video(100, 5)])).toEqual([
      warning('The input is damaged: of 100 video frames, 10 are missing or damaged (10.0 %)'),
    ]);
  });

  it('tells that it is of a sample, which fails only if nothing decodes', () => {
    const sample = { ...video(60, 40), isSample: true as const };
    const message = 'The input is damaged: of 60 video frames that were checked, 40 are missing or damaged (66.7 %)';
    expect(damageWarnings([sample])).toEqual([warning(message)]);
    expect(() => damageWarnings([{ ...sample, lost: 60 }])).toThrow('that were checked');
    expect(damageWarnings([sample, video(100, 10)])[0]?.message).toContain('of 100 video frames, 10');
  });

  it.each([
    ['a single frame', video(20, 1)],
    ['at most 0.5 %', video(1000, 5)],
    ['nothing', video(0, 0)],
  ])('is not given for %s', (_, damage) => {
    expect(damageWarnings([damage])).toEqual([]);
  });

  it('is an error above 50 %', () => {
    expect(damageWarnings([video(100, 50)])).toHaveLength(1);
    expect(() => damageWarnings([video(100, 51)])).toThrow(
      expect.objectContaining({ code: 'INPUT_DAMAGED', retryable: false }),
    );
  });

  it('explains why an encode failed, and no other error', () => {
    const failure = new JobError('TRANSCODE_ERROR', 'The finished file lasts 1 s');
    const [some, most] = [[video(100, 10)], [video(100, 60)]];
    expect(explainByDamage(failure, some)).toMatchObject({
      code: 'INPUT_DAMAGED',
      message: expect.stringMatching(/10 are missing or damaged .*The finished file lasts 1 s$/),
    });
    expect(explainByDamage(failure, most)).toMatchObject({ code: 'INPUT_DAMAGED' });
    expect(explainByDamage(failure, [])).toBe(failure);
    const timeout = new JobError('TIMEOUT', 'Too long');
    expect(explainByDamage(timeout, some)).toBe(timeout);
  });
});
