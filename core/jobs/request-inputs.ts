import { storageUrl } from '../storage/storage-url.ts';
import type { JobRequestRecord } from './request-record.ts';

/** A request with one input, or with several for a recipe that joins them. */
export type WithInputs = Pick<JobRequestRecord, 'input' | 'inputs'>;

/** An input as a request names it: by URL, or by an object of a storage provider. */
type RequestInput = {
  url?: string | undefined;
  storageProviderId?: string | undefined;
  key?: string | undefined;
};

/** Every input of a request, with its path in the request. */
export function requestInputs<Input>({
  input,
  inputs = [],
}: {
  input?: Input | undefined;
  inputs?: readonly Input[] | undefined;
}): { input: Input; path: string }[] {
  return [
    ...(input === undefined ? [] : [{ input, path: 'input' }]),
    ...inputs.map((each, index) => ({ input: each, path: `inputs.${index}` })),
  ];
}

/** The URLs of a request's inputs, in order. An object of a storage provider has a `storage:` URL. */
export function inputUrls({ input, inputs }: WithInputs): string[] {
  return (inputs ?? (input === undefined ? [] : [input])).map(inputUrl);
}

/** The URL of one input. */
function inputUrl({ url, storageProviderId, key }: RequestInput): string {
  if (url !== undefined) return url;
  return storageProviderId === undefined || key === undefined ? '' : storageUrl({ storageProviderId, key });
}
