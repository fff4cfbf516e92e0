import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { issueMessage } from '../../../core/api/issue-message.ts';
import { requestTimestampSchema } from '../../../core/timestamp.ts';

const messages = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: issueMessage }).error?.issues.map(({ message }) => message);

const mode = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('recipe') }),
  z.strictObject({ mode: z.literal('pipeline') }),
]);

describe('the message for', () => {
  it.each<[name: string, schema: z.ZodType, value: unknown, message: string]>([
    ['a missing value', z.string(), undefined, 'Required'],
    ['a wrong type', z.string(), 7, 'Must be a string; found a number'],
    ['null', z.object({}), null, 'Must be an object; found null'],
    [
      'a URL in place of an input',
      z.object({ input: z.object({}) }),
      { input: 'https://a.example/b' },
      'Must be an object, such as { "url": "https://example.com/video.mp4" }; found a string',
    ],
    ['a missing recipe', z.object({ recipe: z.object({}) }), {}, 'Required: { "name": "compress" }'],
    ['an array', z.object({}), [], 'Must be an object; found an array'],
    ['a wrong type of a record', z.record(z.string(), z.string()), 'x', 'Must be an object; found a string'],
    ['a text that is no date', z.iso.date(), 'x', 'Must be a date, such as 2026-03-01'],
    ['a text that is no UUID', z.uuid(), 'x', 'Must be a UUID'],
    ['a missing time', requestTimestampSchema, undefined, 'Required'],
    ['an infinite number', z.number(), Number.POSITIVE_INFINITY, 'Must be a number; found Infinity'],
    ['a fraction', z.int(), 17.5, 'Must be a whole number'],
    ['text in place of a whole number', z.int(), '17', 'Must be a number; found a string'],
    ['a low number', z.number().min(0), -1, 'Must be at least 0'],
    ['a low number without its bound', z.number().positive(), 0, 'Must be more than 0'],
    ['a high number', z.number().max(51), 99, 'Must be at most 51'],
    ['an odd number', z.number().multipleOf(2), 3, 'Must be a multiple of 2'],
    ['a long text', z.string().max(1), 'ab', 'Must have at most 1 character'],
    ['a short list', z.array(z.int()).min(2), [1], 'Must have at least 2 items'],
    ['a text that is no URL', z.url(), 'x', 'Must be a URL, such as https://example.com/file'],
    ['a value of no list', z.enum(['mp4', 'mov']), 'avi', 'Must be one of mp4, mov; found "avi"'],
    ['a missing value of a list', z.enum(['mp4', 'mov']), undefined, 'Required: one of mp4, mov'],
    ['another literal', z.literal('aes-128'), 'cenc', 'Must be "aes-128"; found "cenc"'],
    ['an unknown variant', mode, { mode: 'x' }, 'Must be one of recipe, pipeline; found "x"'],
    ['no variant', mode, {}, 'Required: one of recipe, pipeline'],
    ['an object in place of a variant', mode, { mode: {} }, 'Must be one of recipe, pipeline; found an object'],
    [
      'a value of no type in a union',
      z.union([z.number(), z.literal('best')]),
      'x',
      'Must be a number or "best"; found "x"',
    ],
    ['an unknown field', z.strictObject({}), { a: 1 }, 'Unknown field'],
    [
      'an unknown parameter of a recipe',
      z.object({ recipe: z.strictObject({ name: z.string(), start: z.number(), seconds: z.number() }) }),
      { recipe: { name: 'gif', start: 3, seconds: 3, end: 6 } },
      'Unknown field; the recipe has start, seconds',
    ],
  ])('%s', (_, schema, value, message) => expect(messages(schema, value)).toEqual([message]));

  it('a value of no list shows at most 40 characters of it', () => {
    const [message = ''] = messages(z.enum(['mp4']), 'x'.repeat(1000)) ?? [];
    expect(message).toBe(`Must be "mp4"; found "${'x'.repeat(39)}`);
  });

  it('a schema with a message of its own is that message', () => {
    expect(messages(z.string('Name the film'), 7)).toEqual(['Name the film']);
  });

  it('a pattern is that of zod', () => {
    expect(messages(z.string().regex(/^a/), 'b')).toEqual(['Invalid string: must match pattern /^a/']);
  });
});
