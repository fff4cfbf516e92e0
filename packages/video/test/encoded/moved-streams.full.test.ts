// @module-tag sources
import { describe, expect, it } from 'vitest';
import { inputLimitsSchema, validateProbe } from '../../src/probe.ts';
import { broadcastParts, pids } from '../builders/media/broadcast-parts.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

const limits = inputLimitsSchema.parse({});

const validate = async (path: string) => validateProbe(await anEncoder().probe(path), limits);
const first = pids(256, 257);

describe('a broadcast whose streams go on with other PIDs is rejected', () => {
  it.each<[string, string[], string]>([
    ['both', pids(512, 513), 'video of the input has PID 256'],
    ['the video', pids(512, 257), 'video of the input has PID 256'],
    ['the audio', pids(256, 600), 'audio of the input has PID 257'],
    ['exchanged', pids(257, 256), 'video of the input has PID 256'],
    ['another program', ['-mpegts_service_id', '9', ...pids(512, 513)], 'video of the input has PID 256'],
    [
      'another program and table',
      ['-mpegts_service_id', '9', '-mpegts_pmt_start_pid', '4100', ...pids(512, 513)],
      'video of the input has PID 256',
    ],
  ])('%s', async (_, second, message) => {
    const path = await broadcastParts([first, second]);
    const error = { code: 'INPUT_UNSUPPORTED', message: expect.stringContaining(message) };
    await expect(validate(path)).rejects.toMatchObject(error);
  });

  it('in packets of M2TS', async () => {
    const path = await broadcastParts([pids(1041, 1042), pids(1043, 1042)], 'm2ts');
    await expect(validate(path)).rejects.toThrow('video of the input has PID 1041');
  });

  it('for a while within a long file', async () => {
    const long = ['-muxrate', '9M'];
    const path = await broadcastParts([first, first, [...pids(512, 513)], first].map((own) => [...own, ...long]));
    await expect(validate(path)).rejects.toMatchObject({ code: 'INPUT_UNSUPPORTED' });
  });
});

it.each<[string, string[], string[]]>([
  ['without a change', first, first],
  ['a second track of audio ends', [...first, '-map', '2'], first],
  [
    'its audio ends, and another track that was there goes on',
    [...first, '-map', '2'],
    ['-map', '-1', '-map', '2', ...pids(256, 258)],
  ],
  ['a second track of audio begins', first, [...first, '-map', '2']],
  ['a second track of audio has another PID', [...first, '-map', '2'], [...first, '-map', '2', '-streamid', '2:700']],
  ['the table of its program has another PID', first, [...first, '-mpegts_pmt_start_pid', '4100']],
])('a broadcast whose main video and audio keep their PIDs is accepted %s', async (_, one, other) => {
  await expect(validate(await broadcastParts([one, other]))).resolves.toBeUndefined();
});
