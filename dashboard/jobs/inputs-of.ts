import { inputName } from '../format/input-name.ts';

/** A request with one input or, for the recipes that join, with several. */
type WithInputs = {
  input?: { url: string } | undefined;
  inputs?: readonly { url: string }[] | undefined;
};

/** The URLs of a job's inputs, in their order. */
export function inputsOf({ input, inputs }: WithInputs): string[] {
  return (inputs ?? (input === undefined ? [] : [input])).map(({ url }) => url);
}

/** What to call a job: the name of its first input, and how many follow. */
export function nameOf({ request }: { request: WithInputs }): string {
  const [first = '', ...others] = inputsOf(request);
  return others.length === 0 ? inputName(first) : `${inputName(first)} and ${others.length} more`;
}
