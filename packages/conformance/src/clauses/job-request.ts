import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expectClientError } from '../http/call.ts';
import { submit, unreachableInputRequest } from '../jobs/jobs.ts';

const { mode: _mode, ...withoutMode } = unreachableInputRequest;
const { input: _input, ...withoutInput } = unreachableInputRequest;
const { output: _output, ...withoutOutput } = unreachableInputRequest;
const { recipe: _recipe, ...withoutRecipe } = unreachableInputRequest;

export const jobRequest: Clause[] = section('Job creation request', [
  {
    id: 'request.mode',
    sentence: 'mode | string | yes | The value `recipe` is given.',
    check: (run) =>
      expectInvalidRejected(run, {
        'no mode': withoutMode,
        'a mode that is a number': { ...unreachableInputRequest, mode: 1 },
      }),
  },
  {
    id: 'request.input',
    sentence: 'input | object | yes | Contains `url` (string, URL of the source media).',
    check: (run) =>
      expectInvalidRejected(run, {
        'no input': withoutInput,
        'an input without url': { ...unreachableInputRequest, input: {} },
        'a url that is a number': { ...unreachableInputRequest, input: { url: 1 } },
        'a url that is none': { ...unreachableInputRequest, input: { url: 'video.mp4' } },
      }),
  },
  {
    id: 'request.output',
    sentence: 'output | object | yes | Contains `format` (string, for example `mp4`).',
    check: (run) =>
      expectInvalidRejected(run, {
        'no output': withoutOutput,
        'an output without format': { ...unreachableInputRequest, output: {} },
        'a format that is a number': { ...unreachableInputRequest, output: { format: 4 } },
      }),
  },
  {
    id: 'request.recipe',
    sentence:
      'recipe | object | when mode is `recipe` | Contains `name` (string, for example `compress`) and recipe parameters such as `crf` (number).',
    check: (run) =>
      expectInvalidRejected(run, {
        'no recipe': withoutRecipe,
        'a recipe without name': { ...unreachableInputRequest, recipe: { crf: 28 } },
        'a crf that is a string': { ...unreachableInputRequest, recipe: { name: 'compress', crf: '28' } },
      }),
  },
  {
    id: 'request.webhook-url',
    sentence: 'webhookUrl | string (URL) | no | Per-job webhook target. Overrides the default webhook URL.',
    check: async (run) => {
      await expectInvalidRejected(run, {
        'a webhookUrl that is a number': { ...unreachableInputRequest, webhookUrl: 1 },
        'a webhookUrl that is no URL': { ...unreachableInputRequest, webhookUrl: 'hook' },
      });
      await submit(run, unreachableInputRequest);
      await submit(run, { ...unreachableInputRequest, webhookUrl: 'https://unreachable.invalid/hook' });
    },
  },
]);

/** Expects that each of these requests is rejected, and that a complete request is accepted. */
export async function expectInvalidRejected(run: SuiteRun, requests: Record<string, object>): Promise<void> {
  for (const [why, body] of Object.entries(requests)) {
    expectClientError(await run.api('POST', '/api/v1/jobs', { body }), why);
  }
  await submit(run, unreachableInputRequest);
}
