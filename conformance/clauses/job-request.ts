import { type Clause, section } from '../clause.ts';
import { expectRefusal } from '../http/answers.ts';
import { soonOver, submit } from '../jobs/submit.ts';
import type { Run } from '../run.ts';

const { mode: _mode, ...withoutMode } = soonOver;
const { input: _input, ...withoutInput } = soonOver;
const { output: _output, ...withoutOutput } = soonOver;
const { recipe: _recipe, ...withoutRecipe } = soonOver;

export const jobRequest: Clause[] = section('Job creation request', [
  {
    id: 'request.mode',
    sentence: 'mode | string | yes | The value `recipe` is given.',
    holds: (run) =>
      refusesOthers(run, {
        'no mode': withoutMode,
        'a mode that is a number': { ...soonOver, mode: 1 },
      }),
  },
  {
    id: 'request.input',
    sentence: 'input | object | yes | Contains `url` (string, URL of the source media).',
    holds: (run) =>
      refusesOthers(run, {
        'no input': withoutInput,
        'an input without url': { ...soonOver, input: {} },
        'a url that is a number': { ...soonOver, input: { url: 1 } },
        'a url that is none': { ...soonOver, input: { url: 'film.mp4' } },
      }),
  },
  {
    id: 'request.output',
    sentence: 'output | object | yes | Contains `format` (string, for example `mp4`).',
    holds: (run) =>
      refusesOthers(run, {
        'no output': withoutOutput,
        'an output without format': { ...soonOver, output: {} },
        'a format that is a number': { ...soonOver, output: { format: 4 } },
      }),
  },
  {
    id: 'request.recipe',
    sentence:
      'recipe | object | when mode is `recipe` | Contains `name` (string, for example `compress`) and recipe parameters such as `crf` (number).',
    holds: (run) =>
      refusesOthers(run, {
        'no recipe': withoutRecipe,
        'a recipe without name': { ...soonOver, recipe: { crf: 28 } },
        'a crf that is a string': { ...soonOver, recipe: { name: 'compress', crf: '28' } },
      }),
  },
  {
    id: 'request.webhook-url',
    sentence: 'webhookUrl | string (URL) | no | Per-job webhook target. Overrides the default webhook URL.',
    holds: async (run) => {
      await refusesOthers(run, {
        'a webhookUrl that is a number': { ...soonOver, webhookUrl: 1 },
        'a webhookUrl that is no URL': { ...soonOver, webhookUrl: 'hook' },
      });
      await submit(run, soonOver);
      await submit(run, { ...soonOver, webhookUrl: 'https://unreachable.invalid/hook' });
    },
  },
]);

/** Expects that each of these is refused, and that a job with all its parts is accepted. */
export async function refusesOthers(run: Run, requests: Record<string, object>): Promise<void> {
  for (const [why, body] of Object.entries(requests)) {
    expectRefusal(await run.api('POST', '/api/v1/jobs', { body }), why);
  }
  await submit(run, soonOver);
}
