import { expect, it } from 'vitest';
import { parseParameter } from '../../src/request/parse-parameter.ts';

const files = { type: 'array', items: { properties: { language: {}, url: {} } } };

it.each([
  ['28', { type: 'number' }, 28],
  ['-1.5', { type: 'number' }, -1.5],
  ['Infinity', { type: 'number' }, 'Infinity'],
  ['1e3', { type: 'integer' }, '1e3'],
  ['', { type: 'number' }, ''],
  ['12', { type: 'string' }, '12'],
  ['best', { anyOf: [{ type: 'number' }, { const: 'best' }] }, 'best'],
  ['2.5', { anyOf: [{ type: 'number' }, { const: 'best' }] }, 2.5],
  ['90', { type: 'number', enum: [0, 90] }, 90],
  ['720,360', { type: 'array' }, [720, 360]],
  ['720, 360', { type: 'array' }, [720, 360]],
  ['h264, av1', { type: 'array' }, ['h264', 'av1']],
  ['720', { type: 'array' }, [720]],
  ['[720, 360]', { type: 'array' }, [720, 360]],
  [
    'en=a.srt, de=b.srt',
    files,
    [
      { language: 'en', url: 'a.srt' },
      { language: 'de', url: 'b.srt' },
    ],
  ],
  [
    'pt-BR=a,b.srt\nen=c.srt',
    files,
    [
      { language: 'pt-BR', url: 'a,b.srt' },
      { language: 'en', url: 'c.srt' },
    ],
  ],
  ['a.srt', files, ['a.srt']],
  ['{"a":1}', { type: 'object' }, { a: 1 }],
  ['title=Episode 12, part=1\nartist=', { type: 'object' }, { title: 'Episode 12, part=1', artist: '' }],
  ['Episode 12', { type: 'object' }, 'Episode 12'],
  ['{"a":', { type: 'object' }, '{"a":'],
  [false, { type: 'boolean' }, false],
])('%j for the schema %j is parsed as %j', (text, schema, value) => {
  expect(parseParameter(text, schema)).toEqual(value);
});
